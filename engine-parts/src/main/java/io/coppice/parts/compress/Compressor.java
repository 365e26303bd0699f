package io.coppice.parts.compress;

import io.coppice.base.bytes.Memory;
import io.coppice.base.check.Check;
import io.coppice.base.hash.CityHash;
import io.coppice.base.hash.Hash128Slot;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Makes frames. Keeps native contexts and scratch memory from one to the next; confined to one
 * thread; the owner closes it. The same input and chain give the same bytes, those of ClickHouse
 * where the native libraries are there.
 */
public final class Compressor implements AutoCloseable {
  private final BufferAllocator allocator;
  private final Lz4 lz4 = new Lz4();
  private final ZstdContexts zstd = new ZstdContexts();
  private final FpcBody fpc = new FpcBody();
  private final Hash128Slot slot = new Hash128Slot();
  private final DirectBytes[] scratch;

  /** Scratch memory is taken from {@code allocator}, which must outlive this. */
  public Compressor(BufferAllocator allocator) {
    this.allocator = allocator;
    this.scratch = new DirectBytes[] {new DirectBytes(allocator), new DirectBytes(allocator)};
  }

  /**
   * Appends one frame holding {@code sizeBytes} bytes at {@code address} to {@code target}.
   *
   * @return the size of the frame in bytes, its checksum included
   */
  public long compress(CodecChain chain, long address, int sizeBytes, DirectBytes target) {
    Check.argument(0 <= sizeBytes && sizeBytes <= FrameHeader.LIMIT_BYTES, "%d bytes", sizeBytes);
    List<Codec> codecs = chain.codecs();
    int layerSize;
    if (codecs.size() == 1) {
      Codec codec = codecs.get(0);
      long bound = FrameHeader.LAYER_HEADER_BYTES + bound(codec, sizeBytes);
      long frame = target.reserve(FrameHeader.CHECKSUM_BYTES + bound);
      layerSize = layer(codec, address, sizeBytes, frame + FrameHeader.CHECKSUM_BYTES, bound);
    } else {
      layerSize = multiple(codecs, address, sizeBytes, target);
    }
    long frame = target.address() + target.sizeBytes();
    CityHash.cityHash128(frame + FrameHeader.CHECKSUM_BYTES, layerSize, slot);
    Memory.putLong(frame, slot.low());
    Memory.putLong(frame + 8, slot.high());
    long frameSize = (long) FrameHeader.CHECKSUM_BYTES + layerSize;
    target.advance(frameSize);
    return frameSize;
  }

  /**
   * A whole small file in frames, cut every {@code blockSizeBytes}; empty for no content. For
   * marks, primary keys and checksums.txt; the data of columns is cut by its writer.
   */
  public byte[] compressAll(CodecChain chain, byte[] content, int blockSizeBytes) {
    Check.argument(blockSizeBytes > 0, "blocks of %d bytes", blockSizeBytes);
    try (DirectBytes in = new DirectBytes(allocator);
        DirectBytes out = new DirectBytes(allocator)) {
      in.append(content, 0, content.length);
      for (int at = 0; at < content.length; at += blockSizeBytes) {
        compress(chain, in.address() + at, Math.min(blockSizeBytes, content.length - at), out);
      }
      return out.toByteArray();
    }
  }

  private int multiple(List<Codec> codecs, long address, int sizeBytes, DirectBytes target) {
    long from = address;
    int fromSize = sizeBytes;
    for (int i = 0; i < codecs.size(); i++) {
      Codec codec = codecs.get(i);
      long bound = FrameHeader.LAYER_HEADER_BYTES + bound(codec, fromSize);
      if (i + 1 < codecs.size()) {
        DirectBytes to = scratch[i % 2];
        to.clear();
        fromSize = layer(codec, from, fromSize, to.reserve(bound), bound);
        from = to.address();
      } else {
        int head = FrameHeader.LAYER_HEADER_BYTES + 1 + codecs.size();
        long frame = target.reserve(FrameHeader.CHECKSUM_BYTES + head + bound);
        long layer = frame + FrameHeader.CHECKSUM_BYTES;
        int last = layer(codec, from, fromSize, layer + head, bound);
        putLayerHeader(layer, CompressionMethod.MULTIPLE, head + last, sizeBytes);
        Memory.putByte(layer + FrameHeader.LAYER_HEADER_BYTES, (byte) codecs.size());
        for (int k = 0; k < codecs.size(); k++) {
          Memory.putByte(
              layer + FrameHeader.LAYER_HEADER_BYTES + 1 + k,
              (byte) codecs.get(k).method().methodByte());
        }
        return head + last;
      }
    }
    throw new AssertionError("a chain without codecs");
  }

  /** Writes method, sizes and body of one codec; returns their size. */
  private int layer(Codec codec, long source, int size, long target, long bound) {
    long body = target + FrameHeader.LAYER_HEADER_BYTES;
    int bodySize = body(codec, source, size, body, bound - FrameHeader.LAYER_HEADER_BYTES);
    int layerSize = FrameHeader.LAYER_HEADER_BYTES + bodySize;
    putLayerHeader(target, codec.method(), layerSize, size);
    return layerSize;
  }

  private static void putLayerHeader(
      long target, CompressionMethod method, int layerSize, int uncompressedSize) {
    Memory.putByte(target, (byte) method.methodByte());
    Memory.putInt(target + 1, layerSize);
    Memory.putInt(target + 5, uncompressedSize);
  }

  private int body(Codec codec, long source, int size, long target, long bound) {
    if (codec instanceof Codec.Lz4) {
      return lz4.compress(view(source, size), view(target, bound));
    } else if (codec instanceof Codec.Zstd settings) {
      return zstd.compress(settings, view(source, size), view(target, bound));
    } else if (codec instanceof Codec.None) {
      Memory.copy(source, target, size);
      return size;
    } else if (codec instanceof Codec.Lz4Hc high) {
      return lz4.compressHigh(high.level(), view(source, size), view(target, bound));
    } else if (codec instanceof Codec.Delta delta) {
      return DeltaBody.encode(delta.widthBytes(), source, size, target);
    } else if (codec instanceof Codec.DoubleDelta delta) {
      return DoubleDeltaBody.encode(delta.widthBytes(), source, size, target);
    } else if (codec instanceof Codec.Gorilla gorilla) {
      return GorillaBody.encode(gorilla.widthBytes(), source, size, target);
    } else if (codec instanceof Codec.T64 t64) {
      return T64Body.encode(t64.type(), t64.byBits(), source, size, target);
    } else if (codec instanceof Codec.Fpc floats) {
      return fpc.encode(floats.level(), floats.widthBytes(), source, size, target);
    } else if (codec instanceof Codec.Gcd gcd) {
      return GcdBody.encode(gcd.widthBytes(), source, size, target);
    }
    throw new AssertionError("codec " + codec);
  }

  private static long bound(Codec codec, long size) {
    if (codec instanceof Codec.Lz4 || codec instanceof Codec.Lz4Hc) {
      return Lz4.bound(size);
    } else if (codec instanceof Codec.Zstd) {
      return ZstdContexts.bound(size);
    } else if (codec instanceof Codec.DoubleDelta delta) {
      return DoubleDeltaBody.bound(delta.widthBytes(), size);
    } else if (codec instanceof Codec.Gorilla gorilla) {
      return GorillaBody.bound(gorilla.widthBytes(), size);
    } else if (codec instanceof Codec.T64 t64) {
      return T64Body.bound(t64.type().widthBytes(), size);
    } else if (codec instanceof Codec.Fpc floats) {
      return FpcBody.bound(floats.widthBytes(), size);
    } else if (codec instanceof Codec.Gcd gcd) {
      return size + 2 + gcd.widthBytes();
    }
    return size + 2; // NONE, Delta
  }

  /* The native libraries take buffers, not addresses; a buffer object costs less than a copy. */
  static ByteBuffer view(long address, long size) {
    return MemoryUtil.directBuffer(address, Math.toIntExact(size));
  }

  /** Gives back scratch memory and contexts. Closing twice is harmless. */
  @Override
  public void close() {
    zstd.close();
    for (DirectBytes bytes : scratch) {
      bytes.close();
    }
  }
}
