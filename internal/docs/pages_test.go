package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// root is the module's folder, as this package's tests see it.
const root = "../.."

// A page is a Markdown file.
type page struct {
	path   string // below the module's root
	text   string
	blocks []block
}

// A block is a fenced block of code.
type block struct {
	at     string // file:line of the fence
	info   string // behind the fence: the language, and a word of ours
	text   string
	before string // the page's text above it
}

// pages reads the README and all of docs.
func pages(t *testing.T) []page {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	var out []page
	for _, name := range append(names, filepath.Join(root, "README.md")) {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p := page{path: strings.TrimPrefix(filepath.ToSlash(name), root+"/"), text: string(raw)}
		p.cut(t)
		out = append(out, p)
	}
	return out
}

// cut finds the fenced blocks.
func (p *page) cut(t *testing.T) {
	t.Helper()
	var open *block
	var before strings.Builder
	for i, line := range strings.Split(p.text, "\n") {
		info, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && open == nil:
			open = &block{at: fmt.Sprintf("%s:%d", p.path, i+1), info: strings.TrimSpace(info), before: before.String()}
			if open.info == "" {
				t.Errorf("%s: the block does not say what it is: write ```text for plain text", open.at)
			}
		case fence:
			p.blocks = append(p.blocks, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		default:
			before.WriteString(line + "\n")
		}
	}
	if open != nil {
		t.Errorf("%s: the block never ends", open.at)
	}
}

// prose is the page without its blocks.
func (p *page) prose() string {
	text := p.text
	for _, b := range p.blocks {
		text = strings.Replace(text, b.text, "", 1)
	}
	return text
}

var codeSpan = regexp.MustCompile("`([^`\n]+(?:\n[^`\n]+)?)`")

// spans returns what stands between backticks in the page's prose.
func (p *page) spans() []string {
	var out []string
	for _, m := range codeSpan.FindAllStringSubmatch(p.prose(), -1) {
		out = append(out, strings.ReplaceAll(m[1], "\n", " "))
	}
	return out
}

// blocksOf returns the blocks of all pages whose info begins with a language.
func blocksOf(all []page, language string) []block {
	var out []block
	for _, p := range all {
		for _, b := range p.blocks {
			if first, _, _ := strings.Cut(b.info, " "); first == language {
				out = append(out, b)
			}
		}
	}
	return out
}

// fileName makes a file name of a block's place.
func (b block) fileName(ext string) string {
	return strings.NewReplacer("/", "_", ".", "_", ":", "_").Replace(b.at) + ext
}
