SET allow_suspicious_low_cardinality_types = 1;
CREATE TABLE t1
(
    c UInt8,
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t1 VALUES (1), (0), (1), (1), (0), (1), (1);
CREATE TABLE t2
(
    c Bool,
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t2 VALUES (true), (false), (true), (false), (true);
CREATE TABLE t3
(
    c Int128,
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t3 VALUES (-5), (7), (-5), (7), (-5);
CREATE TABLE t4
(
    c UInt256,
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t4 VALUES (5), (0), (5), (0), (5);
CREATE TABLE t5
(
    c Float32,
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t5 VALUES (1.5), (nan), (1.5), (nan), (1.5);
CREATE TABLE t6
(
    c BFloat16,
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t6 VALUES (1.5), (2), (1.5), (2), (1.5);
CREATE TABLE t7
(
    c Decimal(9, 2),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t7 VALUES (1.5), (-2), (1.5), (-2), (1.5);
CREATE TABLE t8
(
    c Decimal(76, 10),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t8 VALUES (1.5), (-2), (1.5), (-2), (1.5);
CREATE TABLE t9
(
    c Date,
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t9 VALUES ('2020-01-01'), ('1970-01-01'), ('2020-01-01'), ('1970-01-01'), ('2020-01-01');
CREATE TABLE t10
(
    c Date32,
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t10 VALUES ('1950-01-01'), ('1950-01-01'), ('1950-01-01');
CREATE TABLE t11
(
    c DateTime,
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t11 VALUES (5), (5), (5);
CREATE TABLE t12
(
    c DateTime64(3),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t12 VALUES ('2020-01-01 00:00:00.123'), ('2020-01-01 00:00:00.123'), ('2020-01-01 00:00:00.123');
CREATE TABLE t13
(
    c Time,
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t13 VALUES ('10:00:00'), ('10:00:00'), ('10:00:00');
CREATE TABLE t14
(
    c Time64(3),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t14 VALUES ('10:00:00.5'), ('10:00:00.5'), ('10:00:00.5');
CREATE TABLE t15
(
    c String,
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t15 VALUES ('a'), (''), ('bc'), ('a'), (''), ('bc'), ('a');
CREATE TABLE t16
(
    c FixedString(3),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t16 VALUES ('abc'), (''), ('abc'), (''), ('abc');
CREATE TABLE t17
(
    c UUID,
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t17 VALUES ('00000000-0000-0001-0000-000000000002'), ('00000000-0000-0001-0000-000000000002'), ('00000000-0000-0001-0000-000000000002');
CREATE TABLE t18
(
    c IPv4,
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t18 VALUES ('1.2.3.4'), ('1.2.3.4'), ('1.2.3.4');
CREATE TABLE t19
(
    c IPv6,
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t19 VALUES ('::1'), ('::1'), ('::1');
CREATE TABLE t20
(
    c Enum8('a' = 1, 'b' = -2),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t20 VALUES ('a'), ('b'), ('a'), ('b'), ('a');
CREATE TABLE t21
(
    c Enum16('a' = 300),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t21 VALUES ('a'), ('a'), ('a');
CREATE TABLE t22
(
    c Nullable(Int32),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t22 VALUES (1), (NULL), (0), (1), (NULL), (0), (1);
CREATE TABLE t23
(
    c Nullable(String),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t23 VALUES ('x'), (NULL), ('x'), (NULL), ('x');
CREATE TABLE t24
(
    c LowCardinality(String),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t24 VALUES ('x'), (''), ('y'), ('x'), (''), ('y'), ('x');
CREATE TABLE t25
(
    c LowCardinality(Nullable(String)),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t25 VALUES ('x'), (NULL), (''), ('x'), (NULL), (''), ('x');
CREATE TABLE t26
(
    c LowCardinality(FixedString(2)),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t26 VALUES ('x'), ('x'), ('x');
CREATE TABLE t27
(
    c LowCardinality(Nullable(FixedString(2))),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t27 VALUES ('x'), (NULL), ('x'), (NULL), ('x');
CREATE TABLE t28
(
    c Array(UInt16),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t28 VALUES ([1,2]), ([]), ([1]), ([1,2]), ([]), ([1]), ([1,2]);
CREATE TABLE t29
(
    c Array(String),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t29 VALUES (['a','']), ([]), (['a','']), ([]), (['a','']);
CREATE TABLE t30
(
    c Array(Nullable(String)),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t30 VALUES (['a',NULL]), ([]), (['a',NULL]), ([]), (['a',NULL]);
CREATE TABLE t31
(
    c Array(LowCardinality(String)),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t31 VALUES (['a','b','a','']), ([]), (['a','b','a','']), ([]), (['a','b','a','']);
CREATE TABLE t32
(
    c Array(LowCardinality(Nullable(String))),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t32 VALUES (['a',NULL]), ([]), (['a',NULL]), ([]), (['a',NULL]);
CREATE TABLE t33
(
    c Array(Array(Int8)),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t33 VALUES ([[1],[]]), ([]), ([[1],[]]), ([]), ([[1],[]]);
CREATE TABLE t34
(
    c Tuple(Int8, String),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t34 VALUES ((1,'a')), ((2,'')), ((1,'a')), ((2,'')), ((1,'a'));
CREATE TABLE t35
(
    c Tuple(a Int8, b Array(LowCardinality(String))),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t35 VALUES ((1,['a'])), ((2,[])), ((1,['a'])), ((2,[])), ((1,['a']));
CREATE TABLE t36
(
    c Tuple(LowCardinality(String), LowCardinality(Nullable(String))),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t36 VALUES (('x','y')), (('',NULL)), (('x','y')), (('',NULL)), (('x','y'));
CREATE TABLE t37
(
    c Tuple(),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t37 VALUES (()), (()), (());
CREATE TABLE t38
(
    c Map(String, Int32),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t38 VALUES (map('a',1,'b',2)), (map()), (map('a',1,'b',2)), (map()), (map('a',1,'b',2));
CREATE TABLE t39
(
    c Map(LowCardinality(String), Array(Int8)),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t39 VALUES (map('a',[1])), (map()), (map('a',[1])), (map()), (map('a',[1]));
CREATE TABLE t40
(
    c Map(FixedString(4), Decimal(38, 10)),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t40 VALUES (map('abcd',1.5)), (map()), (map('abcd',1.5)), (map()), (map('abcd',1.5));
CREATE TABLE t41
(
    c Map(LowCardinality(String), LowCardinality(Nullable(String))),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t41 VALUES (map('a',NULL,'b','c')), (map()), (map('a',NULL,'b','c')), (map()), (map('a',NULL,'b','c'));
CREATE TABLE t42
(
    c Array(Map(String, Int8)),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t42 VALUES ([map('a',1)]), ([]), ([map('a',1)]), ([]), ([map('a',1)]);
CREATE TABLE t43
(
    c Array(Tuple(a Int8, b String)),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t43 VALUES ([(1,'a')]), ([]), ([(1,'a')]), ([]), ([(1,'a')]);
CREATE TABLE t44
(
    c Point,
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t44 VALUES ((1,2)), ((1,2)), ((1,2));
CREATE TABLE t45
(
    c Ring,
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t45 VALUES ([(1,2)]), ([(1,2)]), ([(1,2)]);
CREATE TABLE t46
(
    c Polygon,
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t46 VALUES ([[(1,2)]]), ([[(1,2)]]), ([[(1,2)]]);
CREATE TABLE t47
(
    c MultiPolygon,
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t47 VALUES ([[[(1,2)]]]), ([[[(1,2)]]]), ([[[(1,2)]]]);
CREATE TABLE t48
(
    c LineString,
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t48 VALUES ([(1,2)]), ([(1,2)]), ([(1,2)]);
CREATE TABLE t49
(
    c IntervalDay,
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t49 VALUES (INTERVAL 1 DAY), (INTERVAL 1 DAY), (INTERVAL 1 DAY);
CREATE TABLE t50
(
    c SimpleAggregateFunction(sum, Int64),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t50 VALUES (1), (1), (1);
CREATE TABLE t51
(
    c SimpleAggregateFunction(anyLast, Nullable(String)),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t51 VALUES (NULL), (NULL), (NULL);
CREATE TABLE t52
(
    c SimpleAggregateFunction(groupUniqArrayArray, Array(String)),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t52 VALUES (['a']), (['a']), (['a']);
CREATE TABLE t53
(
    c Array(Nullable(Decimal(9, 2))),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t53 VALUES ([1.5,NULL]), ([1.5,NULL]), ([1.5,NULL]);
CREATE TABLE t54
(
    c Array(Nullable(UUID)),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t54 VALUES ([NULL]), ([NULL]), ([NULL]);
CREATE TABLE t55
(
    c Array(FixedString(2)),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t55 VALUES (['a','bb']), (['a','bb']), (['a','bb']);
CREATE TABLE t56
(
    c Array(IPv6),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t56 VALUES (['::1']), (['::1']), (['::1']);
CREATE TABLE t57
(
    c Array(Bool),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE set(2) GRANULARITY 1,
    INDEX i2 c TYPE minmax GRANULARITY 1,
    INDEX i3 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO t57 VALUES ([true]), ([true]), ([true]);
CREATE TABLE z1 (a Array(LowCardinality(String)), b LowCardinality(String), m Map(String, Int8), INDEX i (a, b, m) TYPE set(0) GRANULARITY 1, INDEX j (a, b, m) TYPE minmax GRANULARITY 2) ENGINE = MergeTree ORDER BY b SETTINGS index_granularity = 2, min_bytes_for_wide_part = 0;
INSERT INTO z1 VALUES (['a','b'], 'x', map('k',1)), ([], '', map()), (['b'], 'x', map('k',1,'l',2)), (['b'], 'x', map('k',1,'l',2)), ([], 'z', map());
CREATE TABLE a1
(
    c Array(LowCardinality(String)),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE minmax GRANULARITY 1,
    INDEX i2 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO a1 VALUES ([]), ([]), (['x']);
CREATE TABLE a2
(
    c Map(LowCardinality(String), Int8),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO a2 VALUES (map()), (map()), (map('x',1));
CREATE TABLE a3
(
    c Tuple(a Nullable(String), b Int8),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO a3 VALUES ((NULL,1)), (('x',0)), ((NULL,5)), ((NULL,7)), (('b',1)), (('a',9));
CREATE TABLE a4
(
    c Tuple(Float64, Array(Nullable(Int8))),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO a4 VALUES ((nan,[1])), ((1,[NULL])), ((nan,[])), ((nan,[2])), ((-inf,[3])), ((inf,[]));
CREATE TABLE a5
(
    c Tuple(Tuple(Int8, String), LowCardinality(Nullable(String))),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO a5 VALUES (((1,'z'),NULL)), (((2,'a'),NULL)), (((0,'b'),'q'));
CREATE TABLE a6
(
    c Map(String, Float64),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO a6 VALUES (map('a',nan)), (map('a',1)), (map('a',2,'b',1)), (map());
CREATE TABLE a7
(
    c Array(Nullable(String)),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO a7 VALUES ([]), ([]);
CREATE TABLE a8
(
    c Array(Nullable(String)),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO a8 VALUES (['x']), ([]);
CREATE TABLE a9
(
    c Array(Nullable(Int8)),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO a9 VALUES ([1]), ([]), ([2]), ([]);
CREATE TABLE aa
(
    c Array(LowCardinality(Nullable(String))),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE minmax GRANULARITY 1,
    INDEX i2 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO aa VALUES (['x',NULL]), ([]), ([NULL]), ([]);
CREATE TABLE ab
(
    c Array(Float32),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE minmax GRANULARITY 1,
    INDEX i2 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO ab VALUES ([nan]), ([1]), ([2,nan]), ([inf]);
CREATE TABLE ac
(
    c Tuple(),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO ac VALUES (()), (()), (());
CREATE TABLE ad
(
    c Array(Tuple(Int8, String)),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO ad VALUES ([(1,'b'),(0,'c')]), ([(1,'a')]), ([]);
CREATE TABLE ae
(
    c Tuple(Array(Int8), Map(String, Int8)),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO ae VALUES (([1],map('b',1))), (([2],map('a',1))), (([],map()));
CREATE TABLE af
(
    c Array(Tuple()),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO af VALUES ([()]), ([]), ([(),()]);
CREATE TABLE ag
(
    c Tuple(UUID, Enum8('a' = 1, 'b' = -1), Date32, Decimal(9, 2), Bool, IPv6),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO ag VALUES (('00000000-0000-0001-0000-000000000002','a','1950-01-01',1.5,true,'::1')), (('00000000-0000-0002-0000-000000000001','b','1950-01-02',-1.5,false,'::'));
CREATE TABLE ah
(
    c Nullable(Float64),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE minmax GRANULARITY 1,
    INDEX i2 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO ah VALUES (NULL), (nan), (1), (NULL), (NULL), (nan);
CREATE TABLE ai
(
    c LowCardinality(Nullable(String)),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE minmax GRANULARITY 1,
    INDEX i2 c TYPE bloom_filter GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO ai VALUES (NULL), (NULL), ('a');
CREATE TABLE am
(
    c Array(Array(LowCardinality(String))),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO am VALUES ([]), ([[]]), ([['a'],[]]);
CREATE TABLE an
(
    c Map(String, Array(LowCardinality(Nullable(String)))),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO an VALUES (map('a',[])), (map('b',['x',NULL])), (map());
CREATE TABLE ao
(
    c Tuple(IntervalDay, Time),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO ao VALUES ((INTERVAL 1 DAY,'10:00:00')), ((INTERVAL 0 DAY,'11:00:00'));
CREATE TABLE ap
(
    c MultiPolygon,
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO ap VALUES ([[[(1,2)],[]]]), ([[]]), ([]);
CREATE TABLE aq
(
    c Tuple(SimpleAggregateFunction(sum, Int64), String),
    INDEX i0 c TYPE set(0) GRANULARITY 1,
    INDEX i1 c TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2;
INSERT INTO aq VALUES ((1,'b')), ((2,'a'));
CREATE TABLE r_b1 (c Float64, INDEX i c TYPE minmax GRANULARITY 3) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_b1 VALUES (nan), (1), (2), (1), (nan), (2), (1), (2), (nan), (nan), (nan), (nan), (nan), (nan), (3), (3), (nan), (nan), (2), (nan), (1);
CREATE TABLE r_b1b (c Float64, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 3, packed_skip_index_max_bytes = 0;
INSERT INTO r_b1b VALUES (nan), (1), (2), (1), (nan), (2), (1), (2), (nan), (nan), (nan), (nan), (nan), (nan), (3), (3), (nan), (nan), (2), (nan), (1);
CREATE TABLE r_b2 (c Nullable(Float64), INDEX i c TYPE minmax GRANULARITY 3) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_b2 VALUES (nan), (1), (NULL), (NULL), (nan), (2), (1), (NULL), (nan), (nan), (nan), (NULL), (NULL), (nan), (3), (NULL), (NULL), (nan), (NULL), (NULL), (1), (1), (2), (NULL), (NULL), (1), (2);
CREATE TABLE r_b2b (c Nullable(Float64), INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 3, packed_skip_index_max_bytes = 0;
INSERT INTO r_b2b VALUES (nan), (1), (NULL), (NULL), (nan), (2), (1), (NULL), (nan), (nan), (nan), (NULL), (NULL), (nan), (3), (NULL), (NULL), (nan), (NULL), (NULL), (1), (1), (2), (NULL), (NULL), (1), (2);
CREATE TABLE r_b3 (c Nullable(Int8), INDEX i c TYPE minmax GRANULARITY 3) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_b3 VALUES (1), (2), (NULL), (NULL), (1), (2), (2), (NULL), (1), (NULL), (NULL), (3), (3), (NULL), (NULL), (NULL), (NULL), (NULL);
CREATE TABLE r_b4 (c Tuple(Int8, Int8), INDEX i c TYPE minmax GRANULARITY 3) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_b4 VALUES ((1,2)), ((2,1)), ((0,5)), ((1,5)), ((1,7)), ((1,1));
CREATE TABLE r_b5 (c Tuple(Int8, Nullable(Int8)), INDEX i c TYPE minmax GRANULARITY 3) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_b5 VALUES ((1,2)), ((1,NULL)), ((1,5)), ((1,NULL)), ((0,7)), ((3,NULL)), ((1,NULL)), ((1,NULL)), ((1,5));
CREATE TABLE r_b6 (c Tuple(Float64, Int8), INDEX i c TYPE minmax GRANULARITY 3) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_b6 VALUES ((nan,2)), ((1,3)), ((2,1)), ((1,1)), ((nan,2)), ((2,5)), ((1,0)), ((3,3)), ((nan,1)), ((nan,4)), ((nan,5)), ((nan,3));
CREATE TABLE r_b7 (c Array(Nullable(Float64)), INDEX i c TYPE minmax GRANULARITY 3) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_b7 VALUES ([nan]), ([1]), ([NULL]), ([1,nan]), ([1,NULL]), ([1]), ([NULL]), ([nan]), ([2]);
CREATE TABLE r_b7b (c Array(Nullable(Float64)), INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 3, packed_skip_index_max_bytes = 0;
INSERT INTO r_b7b VALUES ([nan]), ([1]), ([NULL]), ([1,nan]), ([1,NULL]), ([1]), ([NULL]), ([nan]), ([2]);
CREATE TABLE r_b8 (c LowCardinality(Nullable(String)), INDEX i c TYPE minmax GRANULARITY 3) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_b8 VALUES ('a'), (NULL), ('b'), (NULL), (NULL), ('a'), (NULL), (NULL), (NULL), ('a'), ('b'), (NULL);
CREATE TABLE r_b8b (c LowCardinality(Nullable(String)), INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 3, packed_skip_index_max_bytes = 0;
INSERT INTO r_b8b VALUES ('a'), (NULL), ('b'), (NULL), (NULL), ('a'), (NULL), (NULL), (NULL), ('a'), ('b'), (NULL);
CREATE TABLE r_b9 (c Map(String, Nullable(Float64)), INDEX i c TYPE minmax GRANULARITY 3) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_b9 VALUES (map('a',nan)), (map('a',1)), (map('a',NULL)), (map('a',1,'b',1)), (map()), (map('a',NULL,'b',1));
CREATE TABLE r_b9b (c Map(String, Nullable(Float64)), INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 3, packed_skip_index_max_bytes = 0;
INSERT INTO r_b9b VALUES (map('a',nan)), (map('a',1)), (map('a',NULL)), (map('a',1,'b',1)), (map()), (map('a',NULL,'b',1));
CREATE TABLE r_c1 (c Float64, INDEX i c TYPE minmax GRANULARITY 2) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_c1 SELECT if(number % 2 = 0, reinterpretAsFloat64(0xfff8000000000001), toFloat64(number)) FROM numbers(6);
CREATE TABLE r_c2 (c Float64, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2, packed_skip_index_max_bytes = 0;
INSERT INTO r_c2 SELECT reinterpretAsFloat64(0xfff8000000000001) FROM numbers(2);
CREATE TABLE r_c3 (c Float64, INDEX i c TYPE minmax GRANULARITY 2) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_c3 SELECT reinterpretAsFloat64(0xfff8000000000001) FROM numbers(2);
CREATE TABLE r_c4 (c Array(Float64), INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2, packed_skip_index_max_bytes = 0;
INSERT INTO r_c4 SELECT [reinterpretAsFloat64(0xfff8000000000001)] FROM numbers(2);
CREATE TABLE r_c5 (c Float32, INDEX i c TYPE minmax GRANULARITY 2) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_c5 VALUES (nan), (-nan), (1);
CREATE TABLE r_c6 (c BFloat16, INDEX i c TYPE minmax GRANULARITY 2) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_c6 VALUES (nan), (-nan), (1), (2);
CREATE TABLE r_c7 (c Tuple(Float32, Array(Float32)), INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2, packed_skip_index_max_bytes = 0;
INSERT INTO r_c7 VALUES ((-nan,[-nan])), ((-nan,[-nan]));
CREATE TABLE r_c8 (c Nullable(Float64), INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2, packed_skip_index_max_bytes = 0;
INSERT INTO r_c8 SELECT if(number % 2 = 0, NULL, reinterpretAsFloat64(0xfff8000000000001)) FROM numbers(4);
CREATE TABLE r_d1 (c Tuple(a LowCardinality(Nullable(String)), b Tuple(c Nullable(Int8))), INDEX i c TYPE minmax GRANULARITY 3) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_d1 VALUES (('x',tuple(1))), ((NULL,tuple(NULL))), (('a',tuple(0))), ((NULL,tuple(5))), ((NULL,tuple(NULL))), (('q',tuple(NULL)));
CREATE TABLE r_d1b (c Tuple(a LowCardinality(Nullable(String)), b Tuple(c Nullable(Int8))), INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 3, packed_skip_index_max_bytes = 0;
INSERT INTO r_d1b VALUES (('x',tuple(1))), ((NULL,tuple(NULL))), (('a',tuple(0))), ((NULL,tuple(5))), ((NULL,tuple(NULL))), (('q',tuple(NULL)));
CREATE TABLE r_d2 (c Float64, INDEX i c TYPE minmax GRANULARITY 3) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_d2 VALUES (-0.0), (0.0), (0.0), (0.0), (-0.0), (0.0);
CREATE TABLE r_d3 (c Float64, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 3, packed_skip_index_max_bytes = 0;
INSERT INTO r_d3 VALUES (-0.0), (0.0), (0.0), (0.0), (-0.0), (0.0);
CREATE TABLE r_d4 (c Array(Float64), INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2, packed_skip_index_max_bytes = 0;
INSERT INTO r_d4 VALUES ([-0.0]), ([0.0]), ([0.0]), ([-0.0]);
CREATE TABLE r_d5 (c Array(Float64), INDEX i c TYPE minmax GRANULARITY 2) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_d5 VALUES ([-0.0]), ([0.0]), ([0.0]), ([-0.0]);
CREATE TABLE r_d6 (c Tuple(Float64, Int8), INDEX i c TYPE minmax GRANULARITY 2) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_d6 VALUES ((-0.0,2)), ((0.0,1)), ((0.0,1)), ((-0.0,2));
CREATE TABLE r_d7 (c DateTime64(3), INDEX i c TYPE minmax GRANULARITY 3) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_d7 VALUES ('2020-01-01 00:00:00'), ('1960-01-01 00:00:00'), ('2020-01-01 00:00:00');
CREATE TABLE r_d8 (c Decimal(9, 2), INDEX i c TYPE minmax GRANULARITY 3) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_d8 VALUES (1), (-1), (3);
CREATE TABLE r_d9 (c UUID, INDEX i c TYPE minmax GRANULARITY 3) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_d9 VALUES ('00000000-0000-0001-0000-000000000002'), ('00000000-0000-0002-0000-000000000001'), ('80000000-0000-0000-0000-000000000000');
CREATE TABLE r_e1 (c IPv6, INDEX i c TYPE minmax GRANULARITY 3) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_e1 VALUES ('::1'), ('ffff::'), ('1::');
CREATE TABLE r_e2 (c Int256, INDEX i c TYPE minmax GRANULARITY 3) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_e2 VALUES (-1), (5), (-7);
CREATE TABLE r_e3 (c UInt128, INDEX i c TYPE minmax GRANULARITY 3) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_e3 VALUES (1), (340282366920938463463374607431768211455), (7);
CREATE TABLE r_e4 (c FixedString(3), INDEX i c TYPE minmax GRANULARITY 3) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_e4 VALUES ('a'), ('\xff'), ('');
CREATE TABLE r_e5 (c Enum8('a' = 1, 'b' = -1), INDEX i c TYPE minmax GRANULARITY 3) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_e5 VALUES ('a'), ('b');
CREATE TABLE r_e6 (c Bool, INDEX i c TYPE minmax GRANULARITY 3) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_e6 VALUES (true), (false);
CREATE TABLE r_e7 (c IPv4, INDEX i c TYPE minmax GRANULARITY 3) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_e7 VALUES ('255.0.0.1'), ('1.0.0.0');
CREATE TABLE r_e8 (c Time64(3), INDEX i c TYPE minmax GRANULARITY 3) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_e8 VALUES ('10:00:00'), ('-10:00:00');
CREATE TABLE r_e9 (c Tuple(Date32, Decimal(38, 3), DateTime64(3), UUID, Enum8('a' = 1, 'b' = -1), Bool, IPv4, Time), INDEX i c TYPE minmax GRANULARITY 3) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_e9 VALUES (('1950-01-01',-1,'1960-01-01 00:00:00','80000000-0000-0000-0000-000000000000','b',false,'1.1.1.1','-1:00:00')), (('1950-01-01',-1,'1960-01-01 00:00:00','00000000-0000-0001-0000-000000000002','a',true,'255.1.1.1','1:00:00')), (('1970-01-02',-1,'1960-01-01 00:00:00','00000000-0000-0001-0000-000000000002','a',true,'255.1.1.1','1:00:00'));
CREATE TABLE r_f1 (c Array(Date32), INDEX i c TYPE minmax GRANULARITY 2) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_f1 VALUES (['1950-01-01']), (['1970-01-02']);
CREATE TABLE r_f2 (c Array(Decimal(18, 3)), INDEX i c TYPE minmax GRANULARITY 2) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_f2 VALUES ([-1]), ([1]);
CREATE TABLE r_f3 (c Array(UInt64), INDEX i c TYPE minmax GRANULARITY 2) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_f3 VALUES ([18446744073709551615]), ([1]);
CREATE TABLE r_f4 (c Array(Int64), INDEX i c TYPE minmax GRANULARITY 2) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1, packed_skip_index_max_bytes = 0;
INSERT INTO r_f4 VALUES ([-1]), ([1]);
CREATE TABLE z_a1 (c Float64, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2, packed_skip_index_max_bytes = 0;
INSERT INTO z_a1 VALUES (0.0), (-0.0);
CREATE TABLE z_a2 (c Float64, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2, packed_skip_index_max_bytes = 0;
INSERT INTO z_a2 VALUES (-0.0), (0.0);
CREATE TABLE z_a3 (c Float64, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 3, packed_skip_index_max_bytes = 0;
INSERT INTO z_a3 VALUES (-0.0), (0.0), (1.0);
CREATE TABLE z_a4 (c Float64, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 3, packed_skip_index_max_bytes = 0;
INSERT INTO z_a4 VALUES (0.0), (-0.0), (-1.0);
CREATE TABLE z_a5 (c Float32, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2, packed_skip_index_max_bytes = 0;
INSERT INTO z_a5 VALUES (0.0), (-0.0), (-0.0), (0.0);
CREATE TABLE z_a6 (c Nullable(Float64), INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2, packed_skip_index_max_bytes = 0;
INSERT INTO z_a6 VALUES (0.0), (-0.0), (-0.0), (0.0);
CREATE TABLE z_a7 (c Nullable(Float64), INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 3, packed_skip_index_max_bytes = 0;
INSERT INTO z_a7 VALUES (0.0), (-0.0), (NULL), (-0.0), (NULL), (0.0);
CREATE TABLE z_a8 (c Tuple(Float64, Float32), INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2, packed_skip_index_max_bytes = 0;
INSERT INTO z_a8 VALUES ((0.0,-0.0)), ((-0.0,0.0));
CREATE TABLE z_a9 (c Float64, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1000, packed_skip_index_max_bytes = 0;
INSERT INTO z_a9 SELECT if(number=3,-0.0,0.0) FROM numbers(64);
CREATE TABLE z_b1 (c Float64, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1000, packed_skip_index_max_bytes = 0;
INSERT INTO z_b1 SELECT if(number=63,-0.0,0.0) FROM numbers(64);
CREATE TABLE z_b2 (c Float64, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1000, packed_skip_index_max_bytes = 0;
INSERT INTO z_b2 SELECT if(number=3,-0.0,0.0) FROM numbers(200);
CREATE TABLE z_b3 (c Float64, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1000, packed_skip_index_max_bytes = 0;
INSERT INTO z_b3 SELECT if(number=199,-0.0,0.0) FROM numbers(200);
CREATE TABLE z_b4 (c Float64, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1000, packed_skip_index_max_bytes = 0;
INSERT INTO z_b4 SELECT if(number=191,-0.0,0.0) FROM numbers(192);
CREATE TABLE z_b5 (c Float64, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1000, packed_skip_index_max_bytes = 0;
INSERT INTO z_b5 SELECT if(number=190,-0.0,0.0) FROM numbers(192);
CREATE TABLE z_b6 (c Float64, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1000, packed_skip_index_max_bytes = 0;
INSERT INTO z_b6 SELECT if(number<63,-0.0,0.0) FROM numbers(192);
CREATE TABLE z_b7 (c BFloat16, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2, packed_skip_index_max_bytes = 0;
INSERT INTO z_b7 VALUES (0.0), (-0.0), (-0.0), (0.0);
CREATE TABLE z_b8 (c LowCardinality(Float64), INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 2, packed_skip_index_max_bytes = 0;
INSERT INTO z_b8 VALUES (0.0), (-0.0), (-0.0), (0.0);
CREATE TABLE z_p2 (c Float64, x Int8) ENGINE = MergeTree PARTITION BY (x, intDiv(toInt32(ifNull(c, 0)), 100)) ORDER BY tuple();
INSERT INTO z_p2 VALUES (0.0,1),(-0.0,1),(-0.0,2),(0.0,2);
CREATE TABLE z_n1 (c Float64, d Float32) ENGINE = MergeTree ORDER BY tuple();
INSERT INTO z_n1 VALUES (-nan, -nan),(nan,nan),(-0.0/0.0, 1), (NULL, 2);
CREATE TABLE z_n2 (c Float64, d Float32) ENGINE = MergeTree ORDER BY tuple();
INSERT INTO z_n2 FORMAT TSV
-nan	-nan
nan	NaN
+nan	-NAN;
CREATE TABLE z_n3 (c Float64, d Float32) ENGINE = MergeTree ORDER BY tuple();
INSERT INTO z_n3 SELECT -nan, -toFloat32(nan);
CREATE TABLE z_n4 (c Array(Float64), b BFloat16) ENGINE = MergeTree ORDER BY tuple();
INSERT INTO z_n4 VALUES ([-nan, nan, -inf], -nan);
CREATE TABLE z_n5 (c Float64, d Float32) ENGINE = MergeTree ORDER BY tuple();
INSERT INTO z_n5 FORMAT CSV
-nan,-nan;
CREATE TABLE z_n6 (c Float64, d Float32) ENGINE = MergeTree ORDER BY tuple();
INSERT INTO z_n6 FORMAT JSONEachRow {"c":"-nan","d":-nan};
CREATE TABLE z_n7 (c Float64, d Float32) ENGINE = MergeTree ORDER BY tuple();
INSERT INTO z_n7 SELECT toFloat64('-nan'), CAST('-nan','Float32');
CREATE TABLE z_n8 (c Float64, d Float32) ENGINE = MergeTree ORDER BY tuple();
INSERT INTO z_n8 SELECT negate(materialize(nan)), 0/0;
CREATE TABLE z_n9 (c Float64, d Float32) ENGINE = MergeTree ORDER BY tuple();
INSERT INTO z_n9 SELECT materialize(0.0)/0, materialize(-0.0)/0;
CREATE TABLE l_l1 (c Float64, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1000, packed_skip_index_max_bytes = 0;
INSERT INTO l_l1 SELECT multiIf(number=63,-0.0,number=100,0.0,1) FROM numbers(192);
CREATE TABLE l_l2 (c Float64, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1000, packed_skip_index_max_bytes = 0;
INSERT INTO l_l2 SELECT multiIf(number=63,-0.0,number=190,0.0,1) FROM numbers(200);
CREATE TABLE l_l3 (c Float64, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1000, packed_skip_index_max_bytes = 0;
INSERT INTO l_l3 SELECT multiIf(number=63,-0.0,number=199,0.0,1) FROM numbers(200);
CREATE TABLE l_l4 (c Float32, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1000, packed_skip_index_max_bytes = 0;
INSERT INTO l_l4 SELECT multiIf(number=127,-0.0,number=130,0.0,1) FROM numbers(384);
CREATE TABLE l_l5 (c Float32, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1000, packed_skip_index_max_bytes = 0;
INSERT INTO l_l5 SELECT multiIf(number=63,-0.0,number=70,0.0,1) FROM numbers(384);
CREATE TABLE l_l6 (c Nullable(Float64), INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1000, packed_skip_index_max_bytes = 0;
INSERT INTO l_l6 SELECT multiIf(number=63,-0.0,number=100,0.0,1) FROM numbers(192);
CREATE TABLE l_l7 (c Nullable(Float64), INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1000, packed_skip_index_max_bytes = 0;
INSERT INTO l_l7 SELECT multiIf(number=63,-0.0,number=100,0.0,number=110,NULL,1) FROM numbers(192);
CREATE TABLE l_l8 (c Float64, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1000, packed_skip_index_max_bytes = 0;
INSERT INTO l_l8 SELECT multiIf(number=63,-0.0,number=100,0.0,number=110,nan,1) FROM numbers(192);
CREATE TABLE l_l9 (c Float64, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1000, packed_skip_index_max_bytes = 0;
INSERT INTO l_l9 SELECT multiIf(number=63,-0.0,number=100,0.0,number=5,nan,1) FROM numbers(192);
CREATE TABLE l_m1 (c Tuple(Float64), INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1000, packed_skip_index_max_bytes = 0;
INSERT INTO l_m1 SELECT tuple(multiIf(number=63,-0.0,number=100,0.0,1)) FROM numbers(192);
CREATE TABLE l_m2 (c Tuple(Nullable(Float64)), INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1000, packed_skip_index_max_bytes = 0;
INSERT INTO l_m2 SELECT tuple(multiIf(number=63,-0.0,number=100,0.0,1)) FROM numbers(192);
CREATE TABLE l_m3 (c Float64, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1000, packed_skip_index_max_bytes = 0;
INSERT INTO l_m3 SELECT multiIf(number=63,0.0,number=100,-0.0,-1) FROM numbers(192);
CREATE TABLE l_m4 (c BFloat16, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1000, packed_skip_index_max_bytes = 0;
INSERT INTO l_m4 SELECT multiIf(number=255,-0.0,number=257,0.0,1) FROM numbers(600);
CREATE TABLE l_m5 (c BFloat16, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1000, packed_skip_index_max_bytes = 0;
INSERT INTO l_m5 SELECT multiIf(number=63,-0.0,number=70,0.0,1) FROM numbers(600);
CREATE TABLE l_m6 (c LowCardinality(Float64), INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1000, packed_skip_index_max_bytes = 0;
INSERT INTO l_m6 SELECT multiIf(number=63,-0.0,number=100,0.0,1) FROM numbers(192);
CREATE TABLE l_m7 (c Float64, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1000, packed_skip_index_max_bytes = 0;
INSERT INTO l_m7 SELECT multiIf(number=0,nan,number=2,-0.0,number=3,0.0,1) FROM numbers(192);
CREATE TABLE l_m8 (c Float64, INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1000, packed_skip_index_max_bytes = 0;
INSERT INTO l_m8 SELECT multiIf(number=0,nan,number=63,-0.0,number=100,0.0,1) FROM numbers(192);
CREATE TABLE l_m9 (c Tuple(Float32), INDEX i c TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple() SETTINGS index_granularity = 1000, packed_skip_index_max_bytes = 0;
INSERT INTO l_m9 SELECT tuple(multiIf(number=127,-0.0,number=130,0.0,1)) FROM numbers(384);
