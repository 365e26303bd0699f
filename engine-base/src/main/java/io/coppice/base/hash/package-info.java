/**
 * The hashes that ClickHouse stores in files and shards by, bit for bit: CityHash 1.0.2, SipHash,
 * and the sharding functions. Start with {@link io.coppice.base.hash.CityHash}; {@link
 * io.coppice.base.hash.FileHash} is what {@code checksums.txt} holds.
 *
 * <p>Static functions may be called from any thread; incremental hashes are confined to one.
 */
package io.coppice.base.hash;
