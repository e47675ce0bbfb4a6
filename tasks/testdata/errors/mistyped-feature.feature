# Nothing in the file is understood; one error is enough.
Feture: Bad
  Scenario: A
    Given a counter at 1
