/*
 * ClickHouse's dialect, as far as Coppice speaks it: expressions and CREATE TABLE.
 *
 * Keywords are not reserved: nearly every one of them may name a column or a function. Types are
 * recognised here only by their extent; io.coppice.language.parse.TypeParser reads what is inside.
 *
 * Every choice is made within a few tokens: where two forms begin alike they share an alternative.
 * ANTLR could look further, but then hostile text would decide how far.
 */
grammar ClickHouse;

options {
  caseInsensitive = true;
  superClass = BoundedParser;
}

// Entries

singleExpression: expression (AS identifier)? EOF;

singleCreateTable: createTable ';'? EOF;

// CREATE TABLE

createTable
  : (CREATE (OR REPLACE)? | ATTACH) TABLE (IF NOT EXISTS)? tableName (UUID STRING)?
    (ON CLUSTER (identifier | STRING))?
    '(' tableElement (',' tableElement)* ','? ')'
    tableClause*
  ;

tableName: (identifier '.')? identifier;

tableElement
  : INDEX identifier expression TYPE function (GRANULARITY NUMBER)?            # indexElement
  | CONSTRAINT identifier kind=(CHECK | ASSUME) expression                     # constraintElement
  | PROJECTION identifier parenthesized                                        # projectionElement
  | PRIMARY KEY expression                                                     # primaryKeyElement
  | columnName dataType? columnClause*                                         # columnElement
  ;

columnName: (anyName | CAST | SUBSTRING | TRIM | CODEC | STATISTICS | INTERVAL | CASE) ('.' identifier)*;

columnClause
  : NOT? NULL                                                                  # nullClause
  | kind=(DEFAULT | MATERIALIZED | ALIAS) expression                           # defaultClause
  | EPHEMERAL expression?                                                      # ephemeralClause
  | COMMENT STRING                                                             # commentClause
  | CODEC '(' function (',' function)* ')'                                     # codecClause
  | STATISTICS '(' function (',' function)* ')'                                # statisticsClause
  | TTL expression                                                             # columnTtlClause
  | COLLATE identifier                                                         # collateClause
  | SETTINGS '(' setting (',' setting)* ')'                                    # columnSettingsClause
  | PRIMARY KEY                                                                # columnKeyClause
  ;

tableClause
  : ENGINE '='? function                                                       # engineClause
  | PARTITION BY expression                                                    # partitionClause
  | PRIMARY KEY expression                                                     # primaryKeyClause
  | ORDER BY direction                                                         # orderClause
  | SAMPLE BY expression                                                       # sampleClause
  | TTL ttlElement (',' ttlElement)*                                           # ttlClause
  | SETTINGS setting (',' setting)*                                            # settingsClause
  | COMMENT STRING                                                             # tableCommentClause
  ;

// A name with or without arguments: an engine, a codec, an index type.
function: identifier ('(' arguments? ')')?;

setting: identifier '=' value;

ttlElement: expression ttlAction?;

ttlAction
  : DELETE (WHERE expression)?                                                 # deleteAction
  | WHERE expression                                                           # deleteAction
  | TO kind=(DISK | VOLUME) STRING                                             # moveAction
  | RECOMPRESS CODEC '(' function (',' function)* ')'                          # recompressAction
  | GROUP BY expression (',' expression)* (SET assignment (',' assignment)*)?  # groupAction
  ;

assignment: identifier '=' expression;

// Types, by extent

dataType: typeName typeWord* parenthesized?;

typeName: ID | QUOTED_ID | DATE | TIMESTAMP | SET | UUID;

typeWord: ID;

parenthesized: '(' (parenthesized | ~('(' | ')'))* ')';

// Expressions, loosest binding first

expression
  : NOT expression                                                             # notExpression
  | expression AND expression                                                  # andExpression
  | expression OR expression                                                   # orExpression
  | <assoc=right> expression '?' expression ':' expression                     # ternaryExpression
  | predicate                                                                  # predicateExpression
  | lambdaParameters '->' expression                                           # lambda
  ;

lambdaParameters: identifier | '(' identifier (',' identifier)* ')';

predicate: value (NOT? BETWEEN value AND value)?;

value
  : value '::' dataType                                                        # castValue
  | value '[' expression ']'                                                   # elementValue
  | value '.' (NUMBER | identifier)                                            # memberValue
  | '-' value                                                                  # negateValue
  | '+' value                                                                  # plusValue
  | value op=('*' | '/' | '%' | MOD | DIV) value                               # binaryValue
  | value op=('+' | '-') value                                                 # binaryValue
  | value '||' value                                                           # concatValue
  | value op=('=' | '==' | '!=' | '<>' | '<=>' | '<' | '<=' | '>' | '>=') value # binaryValue
  | value NOT? op=(LIKE | ILIKE | REGEXP) value                                # likeValue
  | value GLOBAL? NOT? IN value                                                # inValue
  | value IS NOT? NULL                                                         # isNullValue
  | primary                                                                    # primaryValue
  ;

primary
  : NUMBER                                                                     # numberPrimary
  | (STRING | HEX_STRING | BIN_STRING | HEREDOC)                               # stringPrimary
  | NULL                                                                       # nullPrimary
  | (TRUE | FALSE)                                                             # boolPrimary
  | CASE expression? (WHEN expression THEN expression)+ (ELSE expression)? END # casePrimary
  | CAST '(' expression (AS dataType | ',' expression) ')'                     # castPrimary
  | EXTRACT '(' identifier FROM expression ')'                                 # extractPrimary
  | SUBSTRING '(' expression (FROM expression (FOR expression)? | (',' expression)*) ')'
                                                                               # substringPrimary
  | TRIM '(' (kind=(BOTH | LEADING | TRAILING) expression FROM)? expression ')' # trimPrimary
  | INTERVAL value identifier                                                  # intervalPrimary
  | INTERVAL STRING                                                            # intervalTextPrimary
  | (DATE | TIMESTAMP) STRING                                                  # datePrimary
  | '(' arguments? ','? ')'                                                    # tuplePrimary
  | '[' arguments? ']'                                                         # arrayPrimary
  | functionName '(' arguments? ')' ('(' arguments? ')')?                      # callPrimary
  | compoundName                                                               # namePrimary
  | '*'                                                                        # asteriskPrimary
  ;

arguments: direction (',' direction)*;

// The direction belongs to ORDER BY; the tree builder refuses it elsewhere.
direction: expression (AS identifier)? (ASC | DESC)?;

compoundName: identifier ('.' identifier)*;

identifier: anyName | INDEX | CONSTRAINT | PROJECTION | PRIMARY | CAST | SUBSTRING | TRIM;

functionName: anyName | INDEX | CONSTRAINT | PROJECTION | PRIMARY;

anyName
  : ID
  | QUOTED_ID
  | ALIAS | AND | AS | ASC | ASSUME | ATTACH | BETWEEN | BY | CHECK | CLUSTER | COLLATE | COMMENT
  | CREATE | DATE | DEFAULT | DELETE | DESC | DISK | DIV | ELSE | END | ENGINE | EPHEMERAL
  | EXISTS | EXTRACT | FALSE | FOR | FROM | GLOBAL | GRANULARITY | GROUP | IF | ILIKE | IN | IS
  | KEY | LIKE | MATERIALIZED | MOD | ON | OR | ORDER | PARTITION | RECOMPRESS | REGEXP | REPLACE
  | SAMPLE | SET | SETTINGS | TABLE | THEN | TIMESTAMP | TO | TRUE | TTL | TYPE | UUID | VOLUME
  | WHEN | WHERE
  ;

// Words

ALIAS: 'ALIAS';
AND: 'AND';
AS: 'AS';
ASC: 'ASC' | 'ASCENDING';
ASSUME: 'ASSUME';
ATTACH: 'ATTACH';
BETWEEN: 'BETWEEN';
BOTH: 'BOTH';
BY: 'BY';
CASE: 'CASE';
CAST: 'CAST';
CHECK: 'CHECK';
CLUSTER: 'CLUSTER';
CODEC: 'CODEC';
COLLATE: 'COLLATE';
COMMENT: 'COMMENT';
CONSTRAINT: 'CONSTRAINT';
CREATE: 'CREATE';
DATE: 'DATE';
DEFAULT: 'DEFAULT';
DELETE: 'DELETE';
DESC: 'DESC' | 'DESCENDING';
DISK: 'DISK';
DIV: 'DIV';
ELSE: 'ELSE';
END: 'END';
ENGINE: 'ENGINE';
EPHEMERAL: 'EPHEMERAL';
EXISTS: 'EXISTS';
EXTRACT: 'EXTRACT';
FALSE: 'FALSE';
FOR: 'FOR';
FROM: 'FROM';
GLOBAL: 'GLOBAL';
GRANULARITY: 'GRANULARITY';
GROUP: 'GROUP';
IF: 'IF';
ILIKE: 'ILIKE';
IN: 'IN';
INDEX: 'INDEX';
INTERVAL: 'INTERVAL';
IS: 'IS';
KEY: 'KEY';
LEADING: 'LEADING';
LIKE: 'LIKE';
MATERIALIZED: 'MATERIALIZED';
MOD: 'MOD';
NOT: 'NOT';
NULL: 'NULL';
ON: 'ON';
OR: 'OR';
ORDER: 'ORDER';
PARTITION: 'PARTITION';
PRIMARY: 'PRIMARY';
PROJECTION: 'PROJECTION';
RECOMPRESS: 'RECOMPRESS';
REGEXP: 'REGEXP';
REPLACE: 'REPLACE';
SAMPLE: 'SAMPLE';
SET: 'SET';
SETTINGS: 'SETTINGS';
STATISTICS: 'STATISTICS';
SUBSTRING: 'SUBSTRING';
TABLE: 'TABLE';
THEN: 'THEN';
TIMESTAMP: 'TIMESTAMP';
TO: 'TO';
TRAILING: 'TRAILING';
TRIM: 'TRIM';
TRUE: 'TRUE';
TTL: 'TTL';
TYPE: 'TYPE';
UUID: 'UUID';
VOLUME: 'VOLUME';
WHEN: 'WHEN';
WHERE: 'WHERE';

// Literals and names

HEX_STRING: 'X' '\'' [0-9A-F]* '\'';
BIN_STRING: 'B' '\'' [01]* '\'';
STRING: '\'' (~['\\] | '\\' . | '\'\'')* '\'';
HEREDOC: '$$' .*? '$$';
ID: [A-Z_] [A-Z0-9_]*;
QUOTED_ID
  : '`' (~[`\\] | '\\' . | '``')* '`'
  | '"' (~["\\] | '\\' . | '""')* '"'
  ;
NUMBER
  : '0X' [0-9A-F]+
  | '0B' [01]+
  | [0-9] [0-9_]* ('.' [0-9_]*)? ('E' [+-]? [0-9]+)?
  ;

LINE_COMMENT: ('--' | '#!' | '# ') ~[\r\n]* -> skip;
BLOCK_COMMENT: '/*' .*? '*/' -> skip;
SPACE: [ \t\r\n\u000B\f\u00A0\uFEFF]+ -> skip;

// So that the lexer never fails: what it does not know, the parser reports.
UNEXPECTED: .;
