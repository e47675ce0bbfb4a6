package files

// Protocol is the system text of the json protocol, before the tools and [Rules].
const Protocol = `You work in a folder of files, your workspace, by calling tools.

Every reply of yours is exactly one JSON object and nothing else:
{"tool": "<name of the tool>", "args": {<its arguments, all of them strings>}}
The next message then tells what the call came to. Go on until the work is done, and end with submit.`

// ToolsProtocol is the system text where the provider has native tool calling.
const ToolsProtocol = `You work in a folder of files, your workspace, by calling the tools that you are given. Go on until the work is done, and end with submit.`

// Rules is what every agent is told, whatever protocol it speaks.
const Rules = `Rules:
1. Only the files that you leave in the workspace count. What you say counts for nothing.
2. README.md says what the work is, and task.json says the same for programs. Read them first.
3. Paths are relative to the workspace. There is no network, and nothing outside of the workspace can be read or written.
4. A command starts in the workspace. run_python takes the path of a script in it, with arguments.
5. Every call costs one of your tool calls. What is left of them stands in the last line of each result.
6. Submit the required artifact by its path when it is complete. After that nothing can be changed.`
