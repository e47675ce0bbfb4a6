@suite:codewiki @world:wiki @codewiki @gate:protocol @gate:evidence @gate:qa
Feature: Qualification

  A team wants to know whether a model may revise its code wiki before anybody pays for a long run. The
  wiki of the plugin host Lantern was left half revised: pages lack sources, and what holds across pages
  is open. Three gates ask for little: to find one's way to the source, to repair five pages, and that
  the host finds nothing wrong with how it was done. A gate that is not passed ends the run, and nobody
  is asked for more.

  @id:three_gates
  Scenario: A model finds the source, repairs five pages and passes the host's audit
    Given the case "plugins-wiki-revision"
    And the stages "protocol" and "evidence_sample"
    When the agent is asked, with 20 turns, 40 calls, 150,000 tokens and 180 seconds:
      """
      This is a probe of the tools: nothing can be written yet. Find where each of the symbols named
      below is declared, that is exported, not where it is imported. List a folder below /source, look
      for the symbols, and read each file that declares one, at least the line that does: a search is not
      a read. Then call finish with the answer
      {"symbols": [{"symbol": "<name>", "path": "<path below /source>", "line": <line of the declaration>}, …]}
      with one entry for each symbol.
      """
    Then the symbols that the host asks for are found by reading
    And the next ask depends on this
    When the agent is asked, with 80 turns, 160 calls, 650,000 tokens and 600 seconds:
      """
      The pages selected below lack evidence. Repair each of them: read the page, see what it requires
      and lacks, read the files that it must cite and as many others of its part of the product as it
      needs, and write the page once, with all its sources declared: path, SHA-256 and kind. Correct the
      prose where it is wrong about a file. When all of them are complete, call finish.
      """
    Then the selected pages have their evidence, and nothing else has changed
    And the host's audit finds no violation
    And a reference solution does what is asked
    And the candidate "missing-dir-loop" fails with "repeated_discovery"
    And the candidate "rewrite-loop" fails with "repeated_mutation"
    And the candidate "no-change" fails with "no_change_write"
    And the candidate "no-change-once" fails with "no_change_write"
    And the candidate "no-progress" fails with "repeated_mutation"
    And the candidate "forger" fails with "unproven_source"
    And the candidate "wrong-hash" fails with "hash_mismatch"
    And the candidate "outside-writer" fails with "unauthorised_write"
    And the candidate "sixth-page" fails with "unauthorised_write"
    And the candidate "heading-editor" fails with "unauthorised_write"
