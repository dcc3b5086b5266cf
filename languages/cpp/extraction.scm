; What is what in C++. The captures are explained in docs/extraction.md.

(function_definition declarator: (function_declarator declarator: (identifier) @name)
  body: (compound_statement) @body) @definition
(function_definition declarator: (pointer_declarator
  declarator: (function_declarator declarator: (identifier) @name))
  body: (compound_statement) @body) @definition
(function_definition declarator: (reference_declarator
  (function_declarator declarator: (identifier) @name))
  body: (compound_statement) @body) @definition
(function_definition declarator: (function_declarator
  declarator: (qualified_identifier scope: (namespace_identifier) @name))) @definition
(function_definition declarator: (function_declarator
  declarator: (operator_name) @name)) @definition
(template_declaration (function_definition
  declarator: (function_declarator declarator: (identifier) @name)
  body: (compound_statement) @body)) @definition
(template_declaration (class_specifier name: (type_identifier) @name)) @definition
(template_declaration (struct_specifier name: (type_identifier) @name)) @definition
(namespace_definition body: (declaration_list (function_definition
  declarator: (function_declarator declarator: (identifier) @name)))) @definition
(namespace_definition name: (_) @name) @definition
(linkage_specification) @definition
(class_specifier name: (type_identifier) @name body: (_) @body) @container
(struct_specifier name: (type_identifier) @name body: (_) @body) @container
(field_declaration_list (function_definition
  declarator: (function_declarator declarator: (field_identifier) @name)
  body: (compound_statement) @body) @definition)
(union_specifier name: (type_identifier) @name) @definition
(enum_specifier name: (type_identifier) @name) @definition
(type_definition declarator: (type_identifier) @name) @definition
(alias_declaration name: (type_identifier) @name) @definition
(preproc_def name: (identifier) @name) @definition
(preproc_function_def name: (identifier) @name) @definition
(preproc_ifdef) @import
(preproc_if) @import
(preproc_call) @import

(declaration declarator: (init_declarator declarator: (identifier) @name)) @assign
(declaration declarator: (init_declarator
  declarator: (array_declarator declarator: (identifier) @name))) @assign
(declaration declarator: (identifier) @name) @assign
(declaration declarator: (array_declarator declarator: (identifier) @name)) @assign
(declaration declarator: (function_declarator)) @forward
(declaration declarator: (pointer_declarator declarator: (function_declarator))) @forward
(declaration declarator: (reference_declarator (function_declarator))) @forward

(preproc_include) @import @preamble
(using_declaration) @import @preamble

(function_definition declarator: (function_declarator declarator: (identifier) @_main)
  (#eq? @_main "main")) @main

(comment) @comment

(identifier) @mention
(type_identifier) @mention
(field_identifier) @mention
(namespace_identifier) @mention
(operator_name) @mention
