# language: hi
@suite:counting @world:counter @lang:hi
रूप लेख: गिनती
  यह विवरण है।

  पृष्ठभूमि:
    अगर a counter at 3
    और at most 4 turns

  @id:jodo
  परिदृश्य: दो जोड़ो
    जब the agent is asked:
      """
      काउंटर में दो जोड़ो।
      """
    तब the counter stands at 5
    और the reference adds 2
    और the reference answers हो गया

  परिदृश्य रूपरेखा: Add करो
    जब the agent is asked "काउंटर में <n> जोड़ो, please."
    तब the counter stands at <sum>
    और the reference adds <n>
    पर the reference answers done

    उदाहरण:
      | key  | n | sum |
      | teen | 3 | 6   |
      | chaar | 4 | 7   |
