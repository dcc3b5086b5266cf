; What is what in Python. The captures are explained in docs/extraction.md.

(function_definition name: (identifier) @name body: (block) @body) @definition
(decorated_definition
  definition: (function_definition name: (identifier) @name body: (block) @body)) @definition
(class_definition name: (identifier) @name body: (block) @body) @container
(decorated_definition
  definition: (class_definition name: (identifier) @name body: (block) @body)) @container

; A body that only has these does nothing.
(block (pass_statement) @filler)
(block (expression_statement (string)) @filler)
(block (expression_statement (ellipsis)) @filler)
(block (raise_statement (identifier) @_error) @filler (#eq? @_error "NotImplementedError"))
(block (raise_statement (call function: (identifier) @_error)) @filler
  (#eq? @_error "NotImplementedError"))

(import_statement) @import @preamble
(import_from_statement) @import @preamble
(future_import_statement) @import @preamble @first
(try_statement body: (block . (import_statement))) @import
(try_statement body: (block . (import_from_statement))) @import

(expression_statement (assignment left: (identifier) @name right: (_))) @assign
(expression_statement (assignment left: (pattern_list (identifier) @name) right: (_))) @assign
(expression_statement (assignment left: (tuple_pattern (identifier) @name) right: (_))) @assign
(expression_statement (assignment left: (subscript value: (identifier) @name))) @assign
(expression_statement (assignment left: (attribute object: (identifier) @name))) @assign
(expression_statement (augmented_assignment left: (identifier) @name)) @assign
(type_alias_statement left: (type (identifier) @name)) @assign

(if_statement condition: (comparison_operator (identifier) @_name)
  (#eq? @_name "__name__")) @main

; Statements that only show, ask or test something.
(expression_statement (call function: (identifier) @_call)
  (#any-of? @_call "print" "input" "exit" "quit" "raw_input")) @example
(expression_statement (assignment right: (call function: (identifier) @_call))
  (#eq? @_call "input")) @example
(expression_statement (assignment right: (call function: (identifier)
  arguments: (argument_list (call function: (identifier) @_call))))
  (#eq? @_call "input")) @example
(expression_statement (call function: (attribute object: (identifier) @_module))
  (#any-of? @_module "doctest" "unittest" "pytest")) @example
(expression_statement (identifier)) @example
(expression_statement (assignment left: (_) type: (_) !right)) @example
(expression_statement (string)) @example
; An import that only tests need goes when nothing that stays mentions it.
(import_statement name: (dotted_name (identifier) @_module)
  (#any-of? @_module "doctest" "unittest" "pytest")) @example

(comment) @comment

; Names: what is referred to, what a function declares for itself, what it takes back from outside.
(identifier) @mention
(parameters (identifier) @local)
(default_parameter name: (identifier) @local)
(typed_parameter (identifier) @local)
(typed_default_parameter name: (identifier) @local)
(list_splat_pattern (identifier) @local)
(dictionary_splat_pattern (identifier) @local)
(lambda_parameters (identifier) @local)
(block (expression_statement (assignment left: (identifier) @local)))
(block (expression_statement (assignment left: (pattern_list (identifier) @local))))
(for_statement left: (identifier) @local)
(for_statement left: (pattern_list (identifier) @local))
(for_in_clause left: (identifier) @local)
(for_in_clause left: (pattern_list (identifier) @local))
(global_statement (identifier) @shared)
(nonlocal_statement (identifier) @shared)
