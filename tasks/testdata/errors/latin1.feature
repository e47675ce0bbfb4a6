# Not UTF-8.
@suite:bad @world:counter
Feature: Café
