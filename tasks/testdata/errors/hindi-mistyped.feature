# language: hi
@suite:bad @world:counter
रूप लेख: गिनती
  @id:a
  परिदृश्य: एक
    अगार a counter at 3
    जब the agent is asked "x"
