// Copies a package without what imports certain others: `slim FROM TO IMPORT...`.
//
// Linking a test takes most of its time to load packages that only a few helpers of the assertion
// library need. A function goes when it uses such an import, or one that is gone.
package main

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func main() {
	from, to, unwanted := os.Args[1], os.Args[2], os.Args[3:]
	set := token.NewFileSet()
	files := map[string]*ast.File{}
	names, err := filepath.Glob(filepath.Join(from, "*.go"))
	check(err)
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") {
			file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
			check(err)
			files[filepath.Base(name)] = file
		}
	}
	gone := map[string]bool{}
	for grew := true; grew; {
		grew = false
		for _, file := range files {
			packages := imported(file, unwanted)
			file.Decls = slices.DeleteFunc(file.Decls, func(decl ast.Decl) bool {
				if !uses(decl, packages, gone) {
					return false
				}
				for _, name := range declared(decl) {
					gone[name] = true
				}
				grew = true
				return true
			})
		}
	}
	check(os.MkdirAll(to, 0o755))
	for name, file := range files {
		if dropImports(file); len(file.Decls) == 0 {
			continue
		}
		out, err := os.Create(filepath.Join(to, name))
		check(err)
		check(format.Node(out, set, file))
		check(out.Close())
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// The names by which a file uses the imports that are in list.
func imported(file *ast.File, list []string) map[string]bool {
	names := map[string]bool{}
	for _, spec := range file.Imports {
		if called, where := spelled(spec); slices.Contains(list, where) {
			names[called] = true
		}
	}
	return names
}

func spelled(spec *ast.ImportSpec) (name, where string) {
	where, err := strconv.Unquote(spec.Path.Value)
	check(err)
	if spec.Name != nil {
		return spec.Name.Name, where
	}
	return path.Base(where), where
}

func uses(decl ast.Decl, packages, gone map[string]bool) bool {
	if group, ok := decl.(*ast.GenDecl); ok && group.Tok == token.IMPORT {
		return false
	}
	found := false
	ast.Inspect(decl, func(node ast.Node) bool {
		if selector, ok := node.(*ast.SelectorExpr); ok {
			name, ok := selector.X.(*ast.Ident)
			found = found || ok && packages[name.Name] || gone[selector.Sel.Name]
		}
		if name, ok := node.(*ast.Ident); ok && gone[name.Name] {
			found = true
		}
		return !found
	})
	return found
}

func declared(decl ast.Decl) []string {
	if function, ok := decl.(*ast.FuncDecl); ok {
		return []string{function.Name.Name}
	}
	var names []string
	for _, spec := range decl.(*ast.GenDecl).Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			names = append(names, spec.Name.Name)
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				if name.Name != "_" {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// Drop the imports that nothing uses any more.
func dropImports(file *ast.File) {
	used := map[string]bool{}
	ast.Inspect(file, func(node ast.Node) bool {
		if selector, ok := node.(*ast.SelectorExpr); ok {
			if name, ok := selector.X.(*ast.Ident); ok {
				used[name.Name] = true
			}
		}
		return true
	})
	file.Decls = slices.DeleteFunc(file.Decls, func(decl ast.Decl) bool {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.IMPORT {
			return false
		}
		group.Specs = slices.DeleteFunc(group.Specs, func(spec ast.Spec) bool {
			name, _ := spelled(spec.(*ast.ImportSpec))
			return !used[name]
		})
		return len(group.Specs) == 0
	})
}
