/*
 * ClickHouse's dialect, as far as Coppice speaks it: expressions, queries over one table, and the
 * statements of a MergeTree database.
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

singleTableName: tableName EOF;

// One of a script's statements; what follows the ';' is not looked at.
oneStatement: statement (';' | EOF);

// INSERT apart, because data may follow that is no SQL.
oneInsert: insert;

statement
  : query
  | explain
  | createTable
  | databaseStatement
  | tableStatement
  | renameStatement
  | alter
  | showStatement
  | describeStatement
  | otherStatement
  ;

// Queries

query: selectUnion outputClause*;

outputClause
  : INTO OUTFILE STRING how=(APPEND | TRUNCATE)? (COMPRESSION STRING (LEVEL NUMBER)?)?
                                                                               # outfileClause
  | FORMAT formatName                                                          # formatClause
  | SETTINGS setting (',' setting)*                                            # querySettings
  ;

selectUnion: selectOperand (unionWord selectOperand)*;

unionWord: (UNION | INTERSECT | EXCEPT) (ALL | DISTINCT)?;

selectOperand: select | '(' selectUnion ')';

select
  : (WITH withElement (',' withElement)*)?
    SELECT distinct? selectItem (',' selectItem)* ','?
    (FROM source sampling*)?
    (PREWHERE expression)?
    (WHERE expression)?
    (GROUP BY (ALL | direction (',' direction)*))?
    (WITH groupModifier)*
    (HAVING expression)?
    (ORDER BY (ALL ASC? | orderElement (',' orderElement)*))?
    limitClause*
    (SETTINGS setting (',' setting)*)?
  ;

distinct: DISTINCT (ON '(' expression (',' expression)* ')')?;

withElement
  : identifier AS '(' selectUnion ')'                                          # withQuery
  | expression AS identifier                                                   # withExpression
  ;

selectItem: expression (AS identifier | alias)?;

// What may name an expression or a table without AS: no word that could begin the next clause.
alias
  : ID
  | QUOTED_ID
  | ADD | AFTER | ALIAS | ALTER | APPEND | ASSUME | AST | ASYNC | ATTACH | CHANGED | CHECK
  | CLEANUP | CLEAR | CLUSTER | COLUMN | COLUMNS | COMMENT | COMPRESSION | CREATE | CUBE
  | DATABASE | DATABASES | DATE | DEDUPLICATE | DEFAULT | DELAY | DELETE | DESCRIBE | DETACH
  | DETACHED | DISK | DROP | EMPTY | ENGINE | EPHEMERAL | ESTIMATE | EXCHANGE | EXISTS | EXPLAIN
  | EXTRACT | FALSE | FETCH | FIRST | FREEZE | FULL | FUNCTION | GRANULARITY | ID_WORD | INFILE
  | INSERT | KEY | KILL | LAST | LEVEL | MATERIALIZED | MODIFY | MOVE | MUTATION | NAME | NO
  | OPTIMIZE | OUTFILE | PART | PARTITION | PERMANENTLY | PIPELINE | PLAN | RECOMPRESS | REMOVE
  | RENAME | RESET | ROLLUP | SETTING | SHOW | SYNC | SYNTAX | SYSTEM | TABLE | TABLES | TEST
  | TIES | TIMESTAMP | TOTALS | TRUE | TRUNCATE | UNFREEZE | UPDATE | USE | UUID | VOLUME
  ;

source
  : (tableName | tableFunction | '(' selectUnion ')') (AS identifier | alias)?
  ;

tableFunction: (functionName | NULL) '(' arguments? ')';

formatName: identifier | NULL;

sampling: FINAL | SAMPLE ratio (OFFSET ratio)?;

ratio: NUMBER ('/' NUMBER)?;

groupModifier: TOTALS | ROLLUP | CUBE;

orderElement: direction (NULLS (FIRST | LAST))? (COLLATE STRING)?;

limitClause
  : LIMIT expression ((',' | OFFSET) expression)? (BY arguments | WITH TIES)?
  | OFFSET expression
  ;

explain
  : EXPLAIN kind=(AST | SYNTAX | PLAN | PIPELINE | ESTIMATE)? (setting (',' setting)*)? statement
  ;

insert
  : INSERT INTO TABLE? (FUNCTION tableFunction | tableName) insertColumns?
    (FROM INFILE STRING (COMPRESSION STRING)?)?
    (SETTINGS setting (',' setting)*)?
    (VALUES | FORMAT formatName | selectUnion)?
  ;

insertColumns: '(' insertColumn (',' insertColumn)* ')';

insertColumn: columnName | '*' columnsModifier*;

// CREATE TABLE

createTable
  : (CREATE (OR REPLACE)? | REPLACE | ATTACH) TABLE (IF NOT EXISTS)? tableName (UUID STRING)?
    onCluster? (FROM STRING)?
    ('(' tableElement (',' tableElement)* ','? ')')?
    (AS tableName)?
    tableClause*
    (EMPTY? AS (selectUnion | tableName))?
  ;

onCluster: ON CLUSTER (identifier | STRING);

tableName: (identifier '.')? identifier;

// The other statements

databaseStatement
  : (CREATE | ATTACH) DATABASE (IF NOT EXISTS)? identifier (UUID STRING)? onCluster?
    (ENGINE '='? function)? (COMMENT STRING)?                                  # createDatabase
  | DROP DATABASE (IF EXISTS)? identifier onCluster? (SYNC | NO DELAY)?        # dropDatabase
  | DETACH DATABASE (IF EXISTS)? identifier onCluster? PERMANENTLY?            # detachDatabase
  ;

tableStatement
  : DROP TABLE (IF EXISTS)? (IF EMPTY)? tableName (',' tableName)* onCluster? (SYNC | NO DELAY)?
                                                                               # dropTable
  | DETACH TABLE (IF EXISTS)? tableName onCluster? PERMANENTLY? (SYNC | NO DELAY)?
                                                                               # detachTable
  | TRUNCATE TABLE? (IF EXISTS)? tableName onCluster? (SYNC | NO DELAY)?       # truncateTable
  | CHECK TABLE tableName (PARTITION partition | PART STRING)?
    (SETTINGS setting (',' setting)*)? (FORMAT formatName)?                    # checkTable
  | OPTIMIZE TABLE tableName onCluster? (PARTITION partition)? FINAL?
    (DEDUPLICATE (BY arguments)?)? CLEANUP? (SETTINGS setting (',' setting)*)? # optimizeTable
  | DELETE FROM tableName onCluster? (IN PARTITION partition)? WHERE expression
    (SETTINGS setting (',' setting)*)?                                         # deleteRows
  ;

renameStatement
  : RENAME TABLE? renamePair (',' renamePair)* onCluster?                      # renameTables
  | RENAME DATABASE (IF EXISTS)? identifier TO identifier onCluster?           # renameDatabase
  | EXCHANGE TABLES tableName AND tableName onCluster?                         # exchangeTables
  ;

renamePair: (IF EXISTS)? tableName TO tableName;

alter
  : ALTER TABLE tableName onCluster? alterItem (',' alterItem)*
    (SETTINGS setting (',' setting)*)?
  ;

alterItem: alterCommand | '(' alterCommand ')';

alterCommand
  : ADD COLUMN (IF NOT EXISTS)? columnSpec place?                              # addColumn
  | (MODIFY | ALTER) COLUMN (IF EXISTS)? columnName columnChange place?        # modifyColumn
  | kind=(DROP | CLEAR | MATERIALIZE) what=(COLUMN | INDEX | PROJECTION | CONSTRAINT | STATISTICS)
    (IF EXISTS)? columnName (',' columnName)* (IN PARTITION partition)?        # dropElement
  | RENAME COLUMN (IF EXISTS)? columnName TO columnName                        # renameColumn
  | COMMENT COLUMN (IF EXISTS)? columnName STRING                              # commentColumn
  | ADD INDEX (IF NOT EXISTS)? identifier expression TYPE function (GRANULARITY NUMBER)? place?
                                                                               # addIndex
  | ADD CONSTRAINT (IF NOT EXISTS)? identifier kind=(CHECK | ASSUME) expression
                                                                               # addConstraint
  | ADD PROJECTION (IF NOT EXISTS)? identifier parenthesized place?            # addProjection
  | kind=(ADD | MODIFY) STATISTICS (IF NOT EXISTS)? identifier (',' identifier)*
    TYPE function (',' function)*                                              # setStatistics
  | MODIFY ORDER BY direction                                                  # modifyOrderBy
  | MODIFY SAMPLE BY expression                                                # modifySampleBy
  | REMOVE what=(SAMPLE | TTL) BY?                                             # removeFromTable
  | MODIFY TTL ttlElement (',' ttlElement)*                                    # modifyTtl
  | MATERIALIZE TTL (IN PARTITION partition)?                                  # materializeTtl
  | MODIFY SETTING setting (',' setting)*                                      # modifySetting
  | RESET SETTING identifier (',' identifier)*                                 # resetSetting
  | MODIFY COMMENT STRING                                                      # modifyComment
  | DELETE (IN PARTITION partition)? WHERE expression                          # deleteMutation
  | UPDATE assignment (',' assignment)* (IN PARTITION partition)? WHERE expression
                                                                               # updateMutation
  | kind=(DROP | DETACH | ATTACH) DETACHED? (PARTITION partition | PART STRING)
    (FROM tableName)?                                                          # partitionCommand
  | REPLACE PARTITION partition FROM tableName                                 # replacePartition
  | MOVE (PARTITION partition | PART STRING) TO
    (TABLE tableName | kind=(DISK | VOLUME) STRING)                            # movePartition
  | FREEZE (PARTITION partition)? (WITH NAME STRING)?                          # freezePartition
  | UNFREEZE (PARTITION partition)? WITH NAME STRING                           # unfreezePartition
  | FETCH (PARTITION partition | PART STRING) FROM STRING                      # fetchPartition
  ;

place: FIRST | AFTER columnName;

columnSpec: columnName dataType? columnClause*;

columnChange
  : REMOVE kind=(DEFAULT | MATERIALIZED | ALIAS | EPHEMERAL | COMMENT | CODEC | TTL | SETTINGS)
                                                                               # removeProperty
  | MODIFY SETTING setting (',' setting)*                                      # columnSetting
  | RESET SETTING identifier (',' identifier)*                                 # columnResetSetting
  | TYPE? dataType? columnClause*                                              # changeColumn
  ;

partition: ALL | ID_WORD STRING | expression;

showStatement
  : SHOW CREATE (TABLE | DATABASE)? tableName (FORMAT formatName)?             # showCreate
  | SHOW FULL? TABLES ((FROM | IN) identifier)? showFilter (FORMAT formatName)?
                                                                               # showTables
  | SHOW DATABASES showFilter (FORMAT formatName)?                             # showDatabases
  | SHOW FULL? COLUMNS (FROM | IN) tableName ((FROM | IN) identifier)? showFilter
    (FORMAT formatName)?                                                       # showColumns
  | SHOW CHANGED? SETTINGS showFilter (FORMAT formatName)?                     # showSettings
  | SHOW identifier showFilter (FORMAT formatName)?                            # showOther
  ;

showFilter: (NOT? kind=(LIKE | ILIKE) STRING)? (WHERE expression)? (LIMIT NUMBER)?;

describeStatement
  : (DESCRIBE | DESC) TABLE? (tableName | tableFunction | '(' selectUnion ')')
    (SETTINGS setting (',' setting)*)? (FORMAT formatName)?                    # describeTable
  | EXISTS kind=(TABLE | DATABASE)? tableName (FORMAT formatName)?             # existsTable
  ;

otherStatement
  : USE DATABASE? identifier                                                   # useDatabase
  | SET setting (',' setting)*                                                 # setSettings
  | SYSTEM identifier+ ('.' identifier)?                                       # systemCommand
  | KILL MUTATION WHERE expression (SYNC | ASYNC | TEST)? (FORMAT formatName)? # killMutation
  ;

columnsModifier
  : EXCEPT ('(' identifier (',' identifier)* ')' | identifier)                 # exceptColumns
  | REPLACE '(' expression AS identifier (',' expression AS identifier)* ')'   # replaceColumns
  ;

tableElement
  : INDEX identifier expression TYPE function (GRANULARITY NUMBER)?            # indexElement
  | CONSTRAINT identifier kind=(CHECK | ASSUME) expression                     # constraintElement
  | PROJECTION identifier parenthesized                                        # projectionElement
  | PRIMARY KEY expression                                                     # primaryKeyElement
  | columnSpec                                                                 # columnElement
  ;

columnName: (anyName | SELECT | WITH | CAST | SUBSTRING | TRIM | CODEC | STATISTICS | INTERVAL | CASE) ('.' identifier)*;

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

lambdaParameters: expressionName | '(' expressionName (',' expressionName)* ')';

predicate: value (NOT? BETWEEN value AND value)?;

value
  : value '::' dataType                                                        # castValue
  | value '[' expression ']'                                                   # elementValue
  | value '.' (NUMBER | identifier | '*' columnsModifier*)                     # memberValue
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
  | INTERVAL value unit=ID                                                     # intervalPrimary
  | INTERVAL STRING                                                            # intervalTextPrimary
  | (DATE | TIMESTAMP) STRING                                                  # datePrimary
  | '(' (select (unionWord selectOperand)*) ')'                                # subqueryPrimary
  | '(' arguments? ','? ')'                                                    # tuplePrimary
  | '[' arguments? ']'                                                         # arrayPrimary
  | EXISTS '(' selectUnion ')'                                                 # existsPrimary
  | COLUMNS '(' STRING ')' columnsModifier*                                    # matchingColumnsPrimary
  | functionName '(' DISTINCT direction (',' direction)* ')'                   # distinctCallPrimary
  | functionName '(' arguments? ')' ('(' DISTINCT? arguments? ')')?            # callPrimary
  | compoundName                                                               # namePrimary
  | '*' columnsModifier*                                                       # asteriskPrimary
  ;

arguments: direction (',' direction)*;

// The direction belongs to ORDER BY; the tree builder refuses it elsewhere.
direction: expression (AS identifier)? (ASC | DESC)?;

compoundName: expressionName ('.' identifier)*;

identifier: expressionName | SELECT | WITH;

// What an expression may begin with. SELECT and WITH begin queries; where none can begin, QueryWords
// makes them an ID.
expressionName: anyName | INDEX | CONSTRAINT | PROJECTION | PRIMARY | CAST | SUBSTRING | TRIM;

functionName: anyName | INDEX | CONSTRAINT | PROJECTION | PRIMARY;

anyName
  : ID
  | QUOTED_ID
  | ADD | AFTER | ALIAS | ALL | ALTER | AND | APPEND | AS | ASC | ASSUME | AST | ASYNC | ATTACH
  | BETWEEN | BY | CHANGED | CHECK | CLEANUP | CLEAR | CLUSTER | COLLATE | COLUMN | COLUMNS
  | COMMENT | COMPRESSION | CREATE | CUBE | DATABASE | DATABASES | DATE | DEDUPLICATE | DEFAULT
  | DELAY | DELETE | DESC | DESCRIBE | DETACH | DETACHED | DISK | DISTINCT | DIV | DROP | ELSE
  | EMPTY | END | ENGINE | EPHEMERAL | ESTIMATE | EXCEPT | EXCHANGE | EXISTS | EXPLAIN | EXTRACT
  | FALSE | FETCH | FINAL | FIRST | FOR | FORMAT | FREEZE | FROM | FULL | FUNCTION | GLOBAL
  | GRANULARITY | GROUP | HAVING | ID_WORD | IF | ILIKE | IN | INFILE | INSERT | INTERSECT | INTO
  | IS | KEY | KILL | LAST | LEVEL | LIKE | LIMIT | MATERIALIZE | MATERIALIZED | MOD | MODIFY
  | MOVE | MUTATION | NAME | NO | NULLS | OFFSET | ON | OPTIMIZE | OR | ORDER | OUTFILE | PART
  | PARTITION | PERMANENTLY | PIPELINE | PLAN | PREWHERE | RECOMPRESS | REGEXP | REMOVE | RENAME
  | REPLACE | RESET | ROLLUP | SAMPLE | SET | SETTING | SETTINGS | SHOW | SYNC | SYNTAX | SYSTEM
  | TABLE | TABLES | TEST | THEN | TIES | TIMESTAMP | TO | TOTALS | TRUE | TRUNCATE | TTL | TYPE
  | UNFREEZE | UNION | UPDATE | USE | UUID | VALUES | VOLUME | WHEN | WHERE
  ;

// Words

ADD: 'ADD';
AFTER: 'AFTER';
ALIAS: 'ALIAS';
ALL: 'ALL';
ALTER: 'ALTER';
AND: 'AND';
APPEND: 'APPEND';
AS: 'AS';
ASC: 'ASC' | 'ASCENDING';
ASSUME: 'ASSUME';
AST: 'AST';
ASYNC: 'ASYNC';
ATTACH: 'ATTACH';
BETWEEN: 'BETWEEN';
BOTH: 'BOTH';
BY: 'BY';
CASE: 'CASE';
CAST: 'CAST';
CHANGED: 'CHANGED';
CHECK: 'CHECK';
CLEANUP: 'CLEANUP';
CLEAR: 'CLEAR';
CLUSTER: 'CLUSTER';
CODEC: 'CODEC';
COLLATE: 'COLLATE';
COLUMN: 'COLUMN';
COLUMNS: 'COLUMNS';
COMMENT: 'COMMENT';
COMPRESSION: 'COMPRESSION';
CONSTRAINT: 'CONSTRAINT';
CREATE: 'CREATE';
CUBE: 'CUBE';
DATABASE: 'DATABASE';
DATABASES: 'DATABASES';
DATE: 'DATE';
DEDUPLICATE: 'DEDUPLICATE';
DEFAULT: 'DEFAULT';
DELAY: 'DELAY';
DELETE: 'DELETE';
DESC: 'DESC' | 'DESCENDING';
DESCRIBE: 'DESCRIBE';
DETACH: 'DETACH';
DETACHED: 'DETACHED';
DISK: 'DISK';
DISTINCT: 'DISTINCT';
DIV: 'DIV';
DROP: 'DROP';
ELSE: 'ELSE';
EMPTY: 'EMPTY';
END: 'END';
ENGINE: 'ENGINE';
EPHEMERAL: 'EPHEMERAL';
ESTIMATE: 'ESTIMATE';
EXCEPT: 'EXCEPT';
EXCHANGE: 'EXCHANGE';
EXISTS: 'EXISTS';
EXPLAIN: 'EXPLAIN';
EXTRACT: 'EXTRACT';
FALSE: 'FALSE';
FETCH: 'FETCH';
FINAL: 'FINAL';
FIRST: 'FIRST';
FOR: 'FOR';
FORMAT: 'FORMAT';
FREEZE: 'FREEZE';
FROM: 'FROM';
FULL: 'FULL';
FUNCTION: 'FUNCTION';
GLOBAL: 'GLOBAL';
GRANULARITY: 'GRANULARITY';
GROUP: 'GROUP';
HAVING: 'HAVING';
ID_WORD: 'ID';
IF: 'IF';
ILIKE: 'ILIKE';
IN: 'IN';
INDEX: 'INDEX';
INFILE: 'INFILE';
INSERT: 'INSERT';
INTERSECT: 'INTERSECT';
INTERVAL: 'INTERVAL';
INTO: 'INTO';
IS: 'IS';
KEY: 'KEY';
KILL: 'KILL';
LAST: 'LAST';
LEADING: 'LEADING';
LEVEL: 'LEVEL';
LIKE: 'LIKE';
LIMIT: 'LIMIT';
MATERIALIZE: 'MATERIALIZE';
MATERIALIZED: 'MATERIALIZED';
MOD: 'MOD';
MODIFY: 'MODIFY';
MOVE: 'MOVE';
MUTATION: 'MUTATION';
NAME: 'NAME';
NO: 'NO';
NOT: 'NOT';
NULL: 'NULL';
NULLS: 'NULLS';
OFFSET: 'OFFSET';
ON: 'ON';
OPTIMIZE: 'OPTIMIZE';
OR: 'OR';
ORDER: 'ORDER';
OUTFILE: 'OUTFILE';
PART: 'PART';
PARTITION: 'PARTITION';
PERMANENTLY: 'PERMANENTLY';
PIPELINE: 'PIPELINE';
PLAN: 'PLAN';
PREWHERE: 'PREWHERE';
PRIMARY: 'PRIMARY';
PROJECTION: 'PROJECTION';
RECOMPRESS: 'RECOMPRESS';
REGEXP: 'REGEXP';
REMOVE: 'REMOVE';
RENAME: 'RENAME';
REPLACE: 'REPLACE';
RESET: 'RESET';
ROLLUP: 'ROLLUP';
SAMPLE: 'SAMPLE';
SELECT: 'SELECT';
SET: 'SET';
SETTING: 'SETTING';
SETTINGS: 'SETTINGS';
SHOW: 'SHOW';
STATISTICS: 'STATISTICS';
SUBSTRING: 'SUBSTRING';
SYNC: 'SYNC';
SYNTAX: 'SYNTAX';
SYSTEM: 'SYSTEM';
TABLE: 'TABLE';
TABLES: 'TABLES';
TEST: 'TEST';
THEN: 'THEN';
TIES: 'TIES';
TIMESTAMP: 'TIMESTAMP';
TO: 'TO';
TOTALS: 'TOTALS';
TRAILING: 'TRAILING';
TRIM: 'TRIM';
TRUE: 'TRUE';
TRUNCATE: 'TRUNCATE';
TTL: 'TTL';
TYPE: 'TYPE';
UNFREEZE: 'UNFREEZE';
UNION: 'UNION';
UPDATE: 'UPDATE';
USE: 'USE';
UUID: 'UUID';
VALUES: 'VALUES';
VOLUME: 'VOLUME';
WHEN: 'WHEN';
WHERE: 'WHERE';
WITH: 'WITH';

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
