# language: hi
@suite:counter @world:counter @lang:hi @persona:auditor
रूप लेख: गिनती

  @level:3
  परिदृश्य: Hindi keywords
    जब the agent is asked, with 3 turns, "गिनती में 31 जोड़िए।"
    तब the counter shows 31
    और a reference adds 31

  @level:3 @id:required
  परिदृश्य: दूसरी बार
    जब the agent is asked, with 3 turns, "गिनती में 32 जोड़िए।"
    तब the counter shows 32
    और a reference adds 32
