; What is what in Go. The captures are explained in docs/extraction.md.
; Imports are no @preamble: assembly decides them from the code that uses them.

(function_declaration name: (identifier) @name body: (block) @body) @definition
(method_declaration receiver: (parameter_list (parameter_declaration
  type: (type_identifier) @name))) @definition
(method_declaration receiver: (parameter_list (parameter_declaration
  type: (pointer_type (type_identifier) @name)))) @definition
(method_declaration receiver: (parameter_list (parameter_declaration
  type: (_ (type_identifier) @name)))) @definition
(type_declaration (type_spec name: (type_identifier) @name)) @definition
(type_declaration (type_alias name: (type_identifier) @name)) @definition
(const_declaration (const_spec name: (identifier) @name)) @definition
(var_declaration (var_spec name: (identifier) @name)) @definition
(var_declaration (var_spec_list (var_spec name: (identifier) @name))) @definition

(package_clause) @package
(import_declaration) @import

(function_declaration name: (identifier) @_main (#eq? @_main "main")) @main
(function_declaration name: (identifier) @_test
  parameters: (parameter_list (parameter_declaration
    type: (pointer_type (qualified_type package: (package_identifier) @_package))))
  (#match? @_test "^(Test|Benchmark|Fuzz|Example)") (#eq? @_package "testing")) @test
(function_declaration name: (identifier) @_test parameters: (parameter_list)
  (#match? @_test "^Example[A-Z_]?")) @test

(comment) @comment

(identifier) @mention
(type_identifier) @mention
(field_identifier) @mention
(package_identifier) @mention
