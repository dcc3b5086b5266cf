; What is what in JavaScript. The captures are explained in docs/extraction.md.

(function_declaration name: (identifier) @name body: (statement_block) @body) @definition
(generator_function_declaration name: (identifier) @name body: (statement_block) @body) @definition
(lexical_declaration (variable_declarator name: (identifier) @name
  value: (arrow_function body: (statement_block) @body))) @definition
(lexical_declaration (variable_declarator name: (identifier) @name
  value: (function_expression body: (statement_block) @body))) @definition
(lexical_declaration (variable_declarator name: (identifier) @name
  value: (arrow_function body: (expression)))) @definition
(variable_declaration (variable_declarator name: (identifier) @name
  value: (function_expression body: (statement_block) @body))) @definition
(variable_declaration (variable_declarator name: (identifier) @name
  value: (arrow_function))) @definition
(expression_statement (assignment_expression left: (identifier) @name
  right: (function_expression body: (statement_block) @body))) @definition
(expression_statement (assignment_expression left: (identifier) @name
  right: (arrow_function))) @definition
(class_declaration name: (identifier) @name body: (class_body) @body) @container

(export_statement declaration: (function_declaration
  name: (identifier) @name body: (statement_block) @body)) @definition
(export_statement declaration: (lexical_declaration
  (variable_declarator name: (identifier) @name))) @definition
(export_statement declaration: (class_declaration
  name: (identifier) @name body: (class_body) @body)) @container
(export_statement "export" @strip declaration: (_))
(export_statement "default" @strip declaration: (_))

(lexical_declaration (variable_declarator name: (identifier) @name)) @assign
(variable_declaration (variable_declarator name: (identifier) @name)) @assign
(lexical_declaration (variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @name))) @assign
(lexical_declaration (variable_declarator
  name: (array_pattern (identifier) @name))) @assign
(expression_statement (assignment_expression left: (identifier) @name)) @assign
(expression_statement (assignment_expression
  left: (member_expression object: (identifier) @name))) @assign
(expression_statement (assignment_expression left: (member_expression
  object: (member_expression object: (identifier) @name)))) @assign

(import_statement) @import
(lexical_declaration (variable_declarator
  value: (call_expression function: (identifier) @_require))
  (#eq? @_require "require")) @import
(variable_declaration (variable_declarator
  value: (call_expression function: (identifier) @_require))
  (#eq? @_require "require")) @import
(expression_statement (string) @_strict (#match? @_strict "use strict")) @import @first

; A file of its own hands its functions out; here nobody takes them.
(export_statement !declaration) @export
(expression_statement (assignment_expression
  left: (member_expression object: (identifier) @_object property: (_) @_property))
  (#eq? @_object "module") (#eq? @_property "exports")) @export
(expression_statement (assignment_expression
  left: (member_expression object: (member_expression object: (identifier) @_object)))
  (#eq? @_object "module")) @export
(expression_statement (assignment_expression
  left: (member_expression object: (identifier) @_object))
  (#eq? @_object "exports")) @export
(if_statement condition: (parenthesized_expression (identifier) @_object)
  (#eq? @_object "module")) @export
(if_statement condition: (parenthesized_expression (binary_expression
  left: (unary_expression argument: (identifier) @_object)))
  (#any-of? @_object "module" "exports")) @export
(if_statement condition: (parenthesized_expression (binary_expression
  left: (member_expression object: (identifier) @_object)))
  (#eq? @_object "require")) @main

; Statements that only show, ask or test something.
(expression_statement (call_expression
  function: (member_expression object: (identifier) @_object))
  (#any-of? @_object "console" "process" "readline" "rl" "assert")) @example
(expression_statement (call_expression function: (identifier) @_call)
  (#any-of? @_call "describe" "test" "it" "alert" "prompt" "expect" "main")) @example
(expression_statement (identifier)) @example
(expression_statement (string)) @example

(comment) @comment

(identifier) @mention
(shorthand_property_identifier) @mention
(formal_parameters (identifier) @local)
(statement_block (lexical_declaration (variable_declarator name: (identifier) @local)))
(statement_block (variable_declaration (variable_declarator name: (identifier) @local)))
(for_statement (lexical_declaration (variable_declarator name: (identifier) @local)))
(for_in_statement left: (identifier) @local)
