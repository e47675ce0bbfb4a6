package files

import (
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"
)

// The policy refuses commands that a workspace's work never needs, with a reason that an agent can
// follow. It is a deny-list and protects nothing: the sandbox does.

// shellPolicy returns why a command line is refused, or "".
func shellPolicy(line string) string {
	const because = "Shell command rejected because "
	for _, bad := range []string{"../", `..\`, "http://", "https://", "ftp://", "$HOME", "%USERPROFILE%", "~"} {
		if strings.Contains(line, bad) {
			return because + "it contains a disallowed path or network target: " + bad
		}
	}
	words, err := splitWords(line)
	if err != nil {
		return "Command rejected because it could not be parsed: " + err.Error()
	}
	for _, w := range words {
		switch {
		case slices.Contains(strings.Split(strings.ReplaceAll(w, `\`, "/"), "/"), ".."):
			return because + "parent-directory traversal is not allowed."
		case strings.HasPrefix(w, "/") || windowsPath.MatchString(w):
			return because + "absolute paths are not allowed."
		}
	}
	if slices.ContainsFunc(strings.Fields(line), windowsPath.MatchString) { // before quoting took its backslashes
		return because + "absolute paths are not allowed."
	}
	if len(words) == 0 {
		return ""
	}
	first := words[0]
	if assignment.MatchString(first) {
		return because + "inline environment assignments are not allowed."
	}
	if slices.Contains(network, strings.ToLower(first)) {
		return because + first + " is outside the allowed policy."
	}
	if pythons.MatchString(path.Base(first)) {
		for _, w := range words[1:] {
			if !strings.HasPrefix(w, "-") {
				break
			}
			if w == "-c" || w == "-m" {
				return because + "python " + w + " is not allowed; use run_python with a script."
			}
		}
	}
	return ""
}

var (
	windowsPath = regexp.MustCompile(`^([A-Za-z]:[\\/]|\\\\)`)
	assignment  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)
	pythons     = regexp.MustCompile(`(?i)^(python[0-9.]*|py)(\.exe)?$`)
	network     = []string{"curl", "wget", "invoke-webrequest", "iwr", "irm", "scp", "ssh", "ftp", "nc", "netcat", "telnet"}
)

// pythonPolicy splits the argument of run_python into a script and its arguments, or says why it
// is refused.
func pythonPolicy(line string) (words []string, refusal string) {
	if strings.TrimSpace(line) == "" {
		return nil, "Python command rejected because it is empty."
	}
	if strings.ContainsAny(line, "\r\n") {
		return nil, "Python command rejected because inline code is disabled; write a script and run it by its path."
	}
	words, err := splitWords(line)
	if err != nil {
		return nil, "Command rejected because it could not be parsed: " + err.Error()
	}
	if len(words) == 0 { // nothing but quotes' worth of nothing, or a comment
		return nil, "Python command rejected because it is empty."
	}
	if strings.HasPrefix(words[0], "-") {
		return nil, "run_python only accepts workspace-relative script paths in v1."
	}
	return words, ""
}

var (
	errQuotation = errors.New("No closing quotation")
	errEscaped   = errors.New("No escaped character")
)

// splitWords splits a line as a POSIX shell would quote it, without operators, expansion or
// comments: the way of Python's shlex.
func splitWords(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	open := false // a word has begun, even if it is empty so far
	var quote byte
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote == '\'' && c != '\'':
			word.WriteByte(c)
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\':
			i++
			if i == len(line) {
				return nil, errEscaped
			}
			if quote == '"' && line[i] != '"' && line[i] != '\\' {
				word.WriteByte('\\')
			}
			word.WriteByte(line[i])
			open = true
		case quote != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quote, open = c, true
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			if open {
				words = append(words, word.String())
			}
			word.Reset()
			open = false
		default:
			word.WriteByte(c)
			open = true
		}
	}
	if quote != 0 {
		return nil, errQuotation
	}
	if open {
		words = append(words, word.String())
	}
	return words, nil
}
