# Each target is one command that could be typed.

.PHONY: test all race lint update bench storm calls

test: ## certify every task: the main job
	go test

all: ## every test of the module
	go test ./...

race:
	go test -race ./...

lint: ## what CI checks beside the tests
	gofmt -l . && go vet ./... && go mod tidy -diff

update: ## rewrite the golden files
	go test ./agent/ollama ./cmd ./cmd/wealth ./features ./grader/gates ./grader/wealth/finqa ./grader/wealth/scorer ./grader/workspace ./internal/run ./reports ./sim/workspace/backend ./steps/wealth ./steps/workspace ./tasks -update

bench: ## the figures of docs/performance.md
	go test -run '^$$' -bench . -benchmem ./...

storm: ## kills a run at random moments, twenty times
	BENCHWRIGHT_STORM=20 go test -run StormOfKills -count=1 ./internal/e2e

calls: ## a million random calls on the simulated workspace
	BENCHWRIGHT_STORM_CALLS=1000000 go test -run Storm -count=1 -timeout 30m ./sim/workspace
