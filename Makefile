# Each target is one command that could be typed.

.PHONY: test all race lint update bench storm

test: ## certify every task: the main job
	go test

all: ## every test of the module
	go test ./...

race:
	go test -race ./...

lint: ## what CI checks beside the tests
	gofmt -l . && go vet ./... && go mod tidy -diff

update: ## rewrite the golden files
	go test ./tasks ./grader/... ./agent/... ./reports ./steps/... ./features ./cmd/... -update

bench: ## the figures of docs/performance.md
	go test -run '^$$' -bench . -benchmem ./...

storm: ## kills a run at random moments, twenty times
	BENCHWRIGHT_STORM=20 go test -run StormOfKills -count=1 ./internal/e2e
