; What is what in Java. The captures are explained in docs/extraction.md.

(class_declaration name: (identifier) @name body: (class_body) @body) @container
(interface_declaration name: (identifier) @name) @container
(enum_declaration name: (identifier) @name) @container
(record_declaration name: (identifier) @name) @container
(annotation_type_declaration name: (identifier) @name) @container
(method_declaration name: (identifier) @name body: (block) @body) @definition
(constructor_declaration name: (identifier) @name) @definition
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @definition
(local_variable_declaration declarator: (variable_declarator name: (identifier) @name)) @assign

(package_declaration) @package
(import_declaration) @import @preamble

(method_declaration name: (identifier) @_main (#eq? @_main "main")) @main

; Only one class of a file may be public, and that is the test's.
(program (class_declaration (modifiers "public" @strip)))
(program (interface_declaration (modifiers "public" @strip)))
(program (enum_declaration (modifiers "public" @strip)))
(program (record_declaration (modifiers "public" @strip)))

(line_comment) @comment
(block_comment) @comment

(identifier) @mention
(type_identifier) @mention
