# Each target is one command that could be typed.

.PHONY: test all race lint update bench storm calls worlds attacks

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

worlds: ## every instance of every split compiles and is a world of its own; wide sweeps of the generators
	BENCHWRIGHT_WORLDS=120 go test -count=1 -timeout 2h -v -run 'EverySplit|Compile|Follow|Matter' ./sim/files/builtin ./sim/files/tabular ./sim/files/retrieval ./sim/files/repair ./sim/files/pipeline ./sim/files/composite

attacks: ## every attack on the sandbox at every level, as root (if you are) and as an ordinary user
	BENCHWRIGHT_ATTACKS=all go test -count=1 -timeout 20m -v -run 'Attacks|OrdinaryUser|WithoutNamespaces' ./sim/files/sandbox
