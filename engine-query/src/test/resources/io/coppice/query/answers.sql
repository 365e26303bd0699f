create table dt (a DateTime('UTC'), b DateTime64(3,'UTC'), c Date, d Date32, i Int32) engine=MergeTree order by tuple()
;
insert into dt values ('1960-01-01 00:00:00','1800-01-01 00:00:00','1960-01-01','1800-01-01',3000000000)
;
insert into dt values ('2200-01-01 00:00:00','2400-01-01 00:00:00','2200-01-01','2400-01-01',-3000000000)
;
insert into dt values (4294967296,4294967296,65536,130000,1)
;
insert into dt values (-1,-1,-1,-130000,2)
;
insert into dt select '1960-01-01 00:00:00','1800-01-01 00:00:00','1960-01-01','1800-01-01',3
;
insert into dt select '2200-01-01 00:00:00','2400-01-01 00:00:00','2200-01-01','2400-01-01',4
;
insert into dt format JSONEachRow {"a":"1960-01-01 00:00:00","b":"1800-01-01 00:00:00","c":"1960-01-01","d":"1800-01-01","i":1}
;
insert into dt format JSONEachRow {"a":"2200-01-01 00:00:00","b":"2400-01-01 00:00:00","c":"2200-01-01","d":"2400-01-01","i":1}
;
insert into dt format JSONEachRow {"a":4294967296,"b":-1,"c":65536,"d":130000,"i":1}
;
insert into dt format TSV
9999999999	9999999999	65536	130000	1
;
insert into dt format TSV
99999	99999999999	65536	130000	1
;
select toDateTime('1960-01-01 00:00:00','UTC'), toDateTime('2200-01-01 00:00:00','UTC'), '1960-01-01 00:00:00'::DateTime('UTC'), '2200-01-01 00:00:00'::DateTime('UTC')
;
select toDateTimeOrNull('1960-01-01 00:00:00','UTC'), toDateTimeOrNull('2200-01-01 00:00:00','UTC'), toDateTimeOrZero('1960-01-01 00:00:00','UTC'), toDateTimeOrZero('2200-01-01 00:00:00','UTC'), toDateTimeOrDefault('2200-01-01 00:00:00','UTC')
;
select toDateTime('1960-01-01 00:00:00','Asia/Tokyo'), toDateTime('2106-02-07 10:00:00','America/New_York'), toDateTime('1970-01-01 05:00:00','Asia/Tokyo'), toDateTime('1970-01-01 05:00:00','Asia/Tokyo')::UInt32
;
select toDate('1960-01-01'), toDate('2200-01-01'), toDateOrNull('1960-01-01'), toDateOrZero('2200-01-01'), '1960-01-01'::Date
;
select toDate32('1800-01-01'), toDate32('2400-01-01'), toDate32OrNull('1800-01-01'), toDate32OrZero('2400-01-01'), toDate32('1899-12-31'),  toDate32('2300-01-01')
;
select toDateTime64('1800-01-01 00:00:00',3,'UTC'), toDateTime64('2400-01-01 00:00:00',3,'UTC'), toDateTime64OrNull('1800-01-01 00:00:00',3,'UTC'), toDateTime64('2400-01-01 00:00:00',9,'UTC')
;
select toDateTime64('2400-01-01 00:00:00',9,'UTC')
;
select toDateTime64('1600-01-01 00:00:00',9,'UTC')
;
select toDateTime(-1,'UTC'), toDateTime(4294967296,'UTC'), toDateTime(toDate('2149-06-06'),'UTC'), toDateTime(toDate32('1960-01-01'),'UTC'), toDateTime(toDateTime64('1960-01-01 00:00:00',3,'UTC'))
;
select toDateTime('-1'), toDateTime('12345678901'), toDateTime('9999999999','UTC')
;
select toDate('99999'), toDate('65536')
;
select toDate('20240601'), toDate('20240230'), toDate('2024-02-30')
;
select d = '2024-02-30' from (select toDate('2024-03-01') as d)
;
select toDate('2024-02-30'), toDate('2024-13-01'), toDate('2024-00-10')
;
select toDateTime('2024-02-30 00:00:00','UTC')
;
select toDateTime('2024-13-30 00:00:00','UTC')
;
select toDateTime('2024-01-01 25:00:00','UTC')
;
select toDateTime('2024-01-01 00:61:00','UTC')
;
select toDateOrNull('20240230'), toDateOrNull('2024-02-30'), toDateOrNull('2024-2-3'), toDateOrNull('2024-02-03x'), toDateOrNull('2024/02/03')
;
select 1 where toDate('2024-06-01') = '20240601'
;
select toDate32('20240601'), toDate32('2024-02-30')
;
create table x (k Int32, a DateTime('UTC'), b DateTime64(3,'UTC'), c Date, d Date32) engine=MergeTree order by k
;
insert into x format JSONEachRow {"k":1,"a":4294967296,"b":-1,"c":65535,"d":130000}
;
insert into x format JSONEachRow {"k":2,"a":-5,"b":-1,"c":65536,"d":-130000}
;
insert into x format JSONEachRow {"k":3,"a":99999999999999999,"b":99999999999999999,"c":3000000000,"d":5}
;
insert into x (k,a) format TSV 4	9999999999
;
insert into x (k,a) format TSV 5	99999999999
;
insert into x (k,a) format TSV 7	-1
;
insert into x (k,a) format TSV 8	0000-00-00 00:00:00
;
insert into x (k,a) format TSV 9	2024-02-30 00:00:00
;
insert into x (k,a) format TSV 10	2024-13-30 00:00:00
;
insert into x (k,a) format TSV 11	2024-01-01 25:00:00
;
insert into x (k,c) format TSV 12	2024-02-30
;
insert into x (k,c) format TSV 13	2024-13-01
;
insert into x (k,c) format TSV 14	20240230
;
insert into x (k,d) format TSV 15	2024-02-30
;
insert into x (k,b) format TSV 16	2024-02-30 00:00:00
;
insert into x (k,b) format TSV 17	1500-01-01 00:00:00
;
insert into x (k,b) format TSV 18	9999-01-01 00:00:00
;
insert into x (k,c) format CSV 19,2024-00-10
;
insert into x (k,c) format CSV 20,2200-02-31
;
insert into x (k,c) format CSV 21,9999-02-31
;
insert into x (k,c) format CSV 22,0001-02-31
;
insert into x (k,a) format CSV 23,"2024-06-01 10:00:60"
;
insert into x (k,a) format CSV 24,"2024-06-01 10:99:10"
;
insert into x (k,c) format CSV 25,2024x06x01
;
insert into x (k,c) format CSV 26,2024 06 01
;
insert into x (k,d) format CSV 28,2024-13-30
;
insert into x (k,d) format CSV 29,1899-13-30
;
insert into x (k,d) format CSV 30,20240230
;
insert into x (k,b) format CSV 31,"2024-13-30 00:00:00"
;
insert into x (k,c) format CSV 32,19691231
;
insert into x (k,c) format JSONEachRow {"k":33,"c":"2024-02-30"}
;
insert into x (k,c) format JSONEachRow {"k":34,"c":"2024-02-32"}
;
insert into x (k,c) format CSV 35,2024-02-32
;
insert into x (k,c) format CSV 36,2024-04-31
;
insert into x (k,c) format CSV 37,2024-06/01
;
insert into x (k,a) format CSV 38,2024-06-31 10:00:00
;
insert into x (k,a) format CSV 39,2024/06/30 10:00:00
;
insert into x (k,a) format CSV 41,2024-6-3 10:00:00
;
select toDate(toDateTime('2024-06-01 23:30:00','UTC'), 'Asia/Tokyo'), toDate32(toDateTime('2024-06-01 23:30:00','UTC'), 'Asia/Tokyo'), toDate(toDateTime64('2024-06-01 23:30:00',3,'UTC'), 'Asia/Tokyo')
;
select toString(toDateTime('2024-06-01 23:30:00','UTC'), 'Asia/Tokyo'), toString(toDateTime64('2024-06-01 23:30:00',3,'UTC'), 'Asia/Tokyo'), toString(toDate('2024-06-01'),'Asia/Tokyo')
;
select toString(5,'Asia/Tokyo')
;
select toDate(1717284600,'Asia/Tokyo'), toDate('2024-06-01 23:30:00','Asia/Tokyo'), toDate32(1717284600,'Asia/Tokyo')
;
select toYear(toDateTime('2024-12-31 23:30:00','UTC'), 'Asia/Tokyo'), toMonth(toDateTime('2024-12-31 23:30:00','UTC'), 'Asia/Tokyo'), toHour(toDateTime('2024-12-31 23:30:00','UTC'), 'Asia/Tokyo'), toDayOfWeek(toDateTime('2024-12-31 23:30:00','UTC'),0, 'Asia/Tokyo'), toYYYYMM(toDateTime('2024-12-31 23:30:00','UTC'), 'Asia/Tokyo')
;
select toDateTime(toDate('2024-06-01'),'Asia/Tokyo'), toDateTime('2024-06-01 10:00:00','Asia/Tokyo'), toDateTime64(toDate('2024-06-01'),3,'Asia/Tokyo'), toDateTime(toDateTime('2024-06-01 10:00:00','UTC'),'Asia/Tokyo')
;
select toUnixTimestamp(toDateTime('2024-06-01 23:00:00','UTC'),'Asia/Tokyo')
;
select toDateOrNull('2024-06-01','Asia/Tokyo')
;
select toDate32OrNull('2024-06-01','Asia/Tokyo')
;
select toBool(1,'UTC')
;
select toInt32(toDateTime('2024-06-01 23:30:00','UTC'),'Asia/Tokyo')
;
select toUInt32('2024','Asia/Tokyo')
;
select toTime(toDateTime('2024-06-01 23:30:00','UTC'),'Asia/Tokyo')
;
select (1,NULL)=(1,NULL) as a, toTypeName(a), (1,NULL)=(2,NULL) as b, (1,NULL)!=(2,NULL) as c, (1,NULL)!=(1,NULL) as d, toTypeName(d)
;
select (1,NULL)<(1,NULL) as a, toTypeName(a), (1,NULL)<(2,NULL) as b, (1,NULL)<=(2,NULL) as c, (NULL,1)<(1,2) as d
;
select (1,NULL) IN ((1,NULL)) as a, toTypeName(a), (1,NULL) NOT IN ((1,NULL)) as b, (1,toNullable(2)) in ((1,2)) as c, toTypeName(c), (1,2) in ((1,NULL),(1,2)) as d
;
select (1,toNullable(2))=(1,2) as a, toTypeName(a), (1,toNullable(2))<(1,2) as b, toTypeName(b), (toNullable(1),'x')!=(1,'y') as c, toTypeName(c)
;
select ((1,NULL),2)=((1,NULL),2) as a, toTypeName(a), ((1,NULL),2)=((1,NULL),3) as b, [NULL]=[NULL] as c, toTypeName(c), ([NULL],1)=([NULL],1) as d, toTypeName(d)
;
select (1,NULL) IS NULL as a, (1,NULL) <=> (1,NULL) as b, (1,NULL)>(1,NULL) as c,(1,NULL)>=(0,NULL) as d
;
select number from numbers(3) where (number, if(number=1,NULL,number)) = (1,NULL)
;
select number from numbers(4) where (number, if(number=1,NULL,number)) in ((1,NULL),(2,2))
;
select number from numbers(4) where (number, if(number=1,NULL,number)) not in ((1,NULL),(2,2))
;
select number from numbers(4) where (number, if(number=1,NULL,number)) != (2,2)
;
select number from numbers(4) where (number, if(number=1,NULL,number)) < (2,2)
;
select number from numbers(4) where (number, if(number=1,NULL,number)) >= (1,1)
;
create table tn (a Int32, b Nullable(Int32)) engine=MergeTree order by a settings index_granularity=1
;
insert into tn values (1,NULL),(1,1),(2,2),(3,NULL)
;
select * from tn where (a,b)=(1,NULL) order by all
;
select * from tn where (a,b) in ((1,NULL)) order by all
;
select * from tn where (a,b) not in ((1,NULL)) order by all
;
select * from tn where (a,b)<(2,3) order by all
;
select * from tn where (a,b)!=(2,2) order by all
;
select * from tn where not ((a,b)=(2,2)) order by all
;
select * from tn where (a,b) in (select 1, NULL) order by all
;
select * from tn where (a,b) in (select a,b from tn) order by all
;
select CAST(NULL AS Int8)
;
select NULL::Int8
;
select NULL::String
;
select CAST(NULL, 'Int8')
;
select CAST(toNullable(1) AS Int8)
;
select CAST(materialize(NULL) AS Int8)
;
select CAST([1,NULL] AS Array(Int8))
;
select CAST((1,NULL) AS Tuple(Int8,Int8))
;
select CAST(NULL AS Array(Int8))
;
select CAST(NULL AS Nullable(Array(Int8)))
;
select toUInt8(NULL), toTypeName(toUInt8(NULL)), toString(NULL), toDate(NULL), toDateTime(NULL), toDecimal32(NULL,2), toTypeName(upper(NULL)), toTypeName(NULL+1), toTypeName(length(NULL))
;
select toInt32(1e10), toInt32(-1e10), toInt32(1e20), toInt64(1e20), toUInt32(1e10), toUInt32(-1.), toUInt64(1e20), toUInt64(-5.), toUInt8(1e10), toInt8(300.5), toInt16(1e6), toUInt8(-1.5), toUInt16(3e9)
;
select if(number,'a','b') from numbers(2)
;
select if(toInt8(1),'a','b')
;
select if(toNullable(toUInt8(1)),'a','b')
;
select if(true,'a','b')
;
select if(NULL,'a','b')
;
select if(1.5,'a','b')
;
select if(toUInt16(1),'a','b')
;
select if(materialize(toNullable(toUInt16(1))),'a','b')
;
select multiIf(number,'a','b') from numbers(2)
;
select multiIf(number,'a',number,'c','b') from numbers(2)
;
select multiIf(toInt8(1),'a',toUInt8(1),'c','b')
;
select multiIf(toNullable(toUInt8(1)),'a',NULL,'c','b')
;
select multiIf(toUInt32(1),'a',NULL,'c','b')
;
select multiIf(true,'a',NULL,'c','b')
;
select number ? 'a' : 'b' from numbers(2)
;
select case when number then 'a' else 'b' end from numbers(2)
;
select number from numbers(3) where number
;
select number from numbers(3) where toInt8(number)
;
select bitShiftLeft(1,10), bitShiftLeft(1,8), bitShiftLeft(1,7), bitShiftLeft(1,9)
;
select bitShiftLeft(toInt8(-1),8), bitShiftLeft(toInt16(-5),16),bitShiftLeft(toInt16(-5),15),bitShiftLeft(toUInt32(7),32),bitShiftLeft(toUInt64(7),63),bitShiftLeft(toUInt64(7),64)
;
select bitShiftLeft(toUInt64(7),65)
;
select bitShiftLeft(toUInt8(7),9)
;
select bitShiftLeft(toUInt8(7),toUInt64(1000))
;
select bitShiftLeft(toUInt8(7),-1)
;
select bitShiftRight(toUInt8(7),8), bitShiftRight(toInt8(-7),8), bitShiftRight(toInt8(-7),7), bitShiftRight(toInt64(-7),64)
;
select bitShiftRight(toInt8(-7),9)
;
select bitShiftRight(7,-1)
;
select bitShiftLeft(toInt128(7),100),bitShiftLeft(toInt128(7),128),bitShiftRight(toInt128(-7),127),bitShiftRight(toInt128(-7),128),bitShiftLeft(toUInt256(7),255),bitShiftLeft(toUInt256(7),256)
;
select bitShiftLeft(toInt128(7),129)
;
select bitShiftRight(toUInt256(7),300)
;
select bitShiftLeft(1,10), toTypeName(bitShiftLeft(1,toUInt64(10))), toTypeName(bitShiftLeft(1,toInt128(1))), bitShiftLeft(toInt8(1), toInt64(10)), bitShiftLeft(toInt8(1), toInt128(10))
;
select bitShiftLeft(1,materialize(10)), bitShiftLeft(materialize(1),10), bitShiftLeft(materialize(1),materialize(10))
;
select bitShiftLeft(toUInt8(255), toUInt64(3)), bitShiftLeft(toInt64(255), 3), bitShiftRight(toInt64(-255), toUInt8(3)), bitShiftRight(toUInt8(200), toInt64(1))
;
select bitShiftLeft(1.5,1)
;
select bitShiftLeft(toNullable(1),NULL), bitShiftLeft(toNullable(1),9)
;
select number, bitShiftLeft(toUInt8(3), number), bitShiftRight(toInt16(-300),number) from numbers(16)
;
create table w (k Int32, lc LowCardinality(String), ln LowCardinality(Nullable(String)), e Enum8('a'=1,'b'=2), d Decimal(12,3), arr Array(Int32), m Map(String,Int32), t Tuple(x Int32, y String), n Nullable(Int32), f Float64, tt Tuple(a Int32, b Tuple(c String, d Array(Tuple(e Int8)))), nn Nested(q Int32, r String)) engine=MergeTree order by k
;
insert into w values (1,'a','b','a',1.5,[1,2],{'x':1},(1,'y'),NULL,.5,(1,('q',[(1)])),[1],['a']),(2,'b',NULL,'b',2.5,[],{},(2,'z'),3,1.5,(1,('q',[(1)])),[],[])
;
select create_table_query from system.tables where name='w'
;
show create table w
;
select toTypeName(d+1), toTypeName(d*2), toTypeName(d-1), toTypeName(d/2), toTypeName(1+d), toTypeName(2*d), toTypeName(d+toInt64(1)), toTypeName(d+k), toTypeName(d%2), toTypeName(-d), toTypeName(d+d), toTypeName(d+toDecimal32(1,1)) from w limit 1
;
select d+1, d*2, d-1, d/2, d+k, 1-d from w order by k
;
select toTypeName(toDecimal32(1,2)+1), toTypeName(toDecimal32(1,2)+toInt64(1)), toTypeName(toDecimal32(1,2)*1000), toTypeName(toDecimal128(1,2)*1000), toTypeName(1-toDecimal32(1,2)), toTypeName(toDecimal32(1,2)+materialize(1)), toTypeName(materialize(toDecimal32(1,2))+1), toTypeName(materialize(toDecimal32(1,2))+materialize(1)),  toTypeName(CAST(1,'Decimal(5,2)')+1), toTypeName(materialize(CAST(1,'Decimal(5,2)'))*3), toTypeName(materialize(CAST(1,'Decimal(5,2)'))/3), toTypeName(materialize(CAST(1,'Decimal(15,2)'))/3)
;
explain estimate select * from w
;
select toUInt8(NULL)
;
select uniqIf(number%10, number%7, number%2), uniqExactIf(number%10, number%7, number<3) from numbers(1000)
;
select uniq(number, number*3) from numbers(100000)
;
select uniq(if(number%3=0,NULL,number), number), uniqExact(if(number%3=0,NULL,number), number),uniqExact(if(number%3=0,NULL,number)) from numbers(10)
;
select count(a,b) from (select 1 a, 2 b)
;
select * from numbers(0,10,3)
;
select * from numbers(5,10,3)
;
select * from numbers(5,10,0)
;
select count() from numbers(0,1000000,7)
;
select sum(e), avg(e), min(e), max(e) from w
;
select avg(e) from w
;
select sum(e) from w
;
select stddevPop(e) from w
;
select quantile(e) from w
;
select median(e) from w
;
select sumIf(e,1) from w
;
select varSamp(e), corr(e,k) from w
;
select sum(lc) from w
;
select sum(toDate('2024-01-01')), avg(toDate('2024-01-01'))
;
select sum(toIPv4('1.1.1.1'))
;
select quantile(toDate('2024-01-01'))
;
select sum(true), avg(true)
;
select .5, -.5, .5e1, 1+.5
;
select .5
;
select n.null from w order by k
;
select arr.size0, m.keys, m.values, t.x, t.y, t.1, tt.b.c, tt.b.d.e from w order by k
;
select arr.size0 from w order by k
;
select m.keys, m.values from w order by k
;
select t.x, t.y from w order by k
;
select t.1 from w order by k
;
select tt.b.c from w order by k
;
select tt.b.d.e from w order by k
;
select n.null, count() from w group by n.null order by all
;
select k from w where n.null
;
select k from w where arr.size0=2
;
select k from w where m.keys=['x']
;
select nn.q, nn.r, nn.size0 from w order by k
;
select nn.q.size0 from w order by k
;
select lc.size from w
;
select m.size0 from w order by k
;
select ltrim('  a'), rtrim('a  '), trim('  a  '), trimBoth(' a '), [1, 2.5], trim(leading 'x' from 'xxa')
;
select [1,2.5], [1,-1], [1.5,NULL], [1,NULL], ['a'], [[1],[2.5]], (1,2.5), [(1,2.5)], [1e10,1], [0.1,1], [-1,1.5], [1,2], array(1,2.5), [18446744073709551615, 1.5]
;
select argMax(number, 1) from numbers(10)
;
select argMax(k, 1), argMin(k, 1) from w
;
select over, filter, qualify2 from (select 1 as over, 2 as filter, 3 as qualify2)
;
select 1 as join, 2 as fetch, 3 as fill
;
select varPop(e), varSamp(e) from values('e Enum8(\'a\'=1,\'b\'=2)', ('a'),('b'))
;
select varSamp(e) from values('e Enum8(\'a\'=1,\'b\'=2)', ('a'),('b'))
;
select stddevSamp(e) from values('e Enum8(\'a\'=1,\'b\'=2)', ('a'),('b'))
;
select covarPop(e,1) from values('e Enum8(\'a\'=1,\'b\'=2)', ('a'),('b'))
;
select covarPop(e,e) from values('e Enum8(\'a\'=1,\'b\'=2)', ('a'),('b'))
;
select corr(e,e) from values('e Enum8(\'a\'=1,\'b\'=2)', ('a'),('b'))
;
select quantileExact(e) from values('e Enum8(\'a\'=1,\'b\'=2)', ('a'),('b'))
;
select sum(e) from values('e Enum16(\'a\'=1,\'b\'=2000)', ('a'),('b'))
;
select sumDistinct(e) from values('e Enum16(\'a\'=1,\'b\'=2000)', ('a'),('b'))
;
select avg(e) from values('e Enum16(\'a\'=1,\'b\'=2000)', ('a'),('b'))
;
select [1,2.5]
;
select [1,-1]
;
select [1.5,NULL]
;
select [1,NULL]
;
select [[1],[2.5]]
;
select (1,2.5)
;
select [(1,2.5)]
;
select [1e10,1]
;
select [-1,1.5]
;
select [1,2]
;
select array(1,2.5)
;
select [1,2.5,toUInt8(1)]
;
select [1,number+0.5] from numbers(1)
;
select [1.5,2], has([1,2.5],2), [1,2.5][1]
;
select [1e20,1], [0.5,1,NULL], [100000000000,0.5], [true,1.5], ['a','b'], [1,true]
;
select LTRIM('  a'), RTRIM('a '), ltrim('a','a'), TRIM('a')
;
select ltrim('xa','x')
;
select groupArray(number) from numbers(1000000) format Null settings max_memory_usage=1000000
;
select number, count() from numbers(1000000) group by number format Null settings max_memory_usage=1000000
;
select 1 settings max_memory_usage=10000000
;
select sum(number) from numbers(1000000) settings max_memory_usage=100000000
;
select k,a,b from x where k not in (6,8,40) order by k
;
select k,c,d from x where k not in (6,8,40) order by k
;
create table dn (k Int32, a Int32 default NULL, d LowCardinality(String) default NULL, e UUID default (NULL)) engine=MergeTree order by k
;
describe table dn
;
insert into dn (k) values (1)
;
select * from dn
;
