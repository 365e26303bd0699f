package io.coppice.parts.compress;

import io.coppice.base.bytes.Memory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Finds out which codecs made a frame, as far as its bytes tell: levels are not among them. */
final class FrameChains {
  private FrameChains() {}

  /** The chain of the frame at {@code address}; LZ4 and ZSTD(1) stand for all their levels. */
  static CodecChain of(BufferAllocator allocator, Decompressor decompressor, long address) {
    int method = Memory.getByte(address + 16) & 0xff;
    if (method != CompressionMethod.MULTIPLE.methodByte()) {
      return CodecChain.of(codec(method, address + FrameHeader.SIZE_BYTES));
    }
    int count = Memory.getByte(address + FrameHeader.SIZE_BYTES);
    List<Codec> codecs = new ArrayList<>();
    List<DirectBytes> layers = new ArrayList<>();
    try {
      long layer = address + FrameHeader.SIZE_BYTES + 1 + count;
      for (int i = count - 1; i >= 0; i--) {
        int layerMethod = Memory.getByte(layer) & 0xff;
        codecs.add(codec(layerMethod, layer + 9));
        int size = Memory.getInt(layer + 5);
        DirectBytes inside = new DirectBytes(allocator);
        layers.add(inside);
        long target = inside.reserve(size);
        if (i > 0) {
          FrameHeader header = new FrameHeader(layerMethod, Memory.getInt(layer + 1) + 16, size);
          decompressor.decompress(header, layer - 16, target, "layer", i);
        }
        layer = target;
      }
    } finally {
      layers.forEach(DirectBytes::close);
    }
    Collections.reverse(codecs);
    return new CodecChain(codecs);
  }

  /** The chain with another level of its last codec where that has levels. */
  static List<CodecChain> withLevels(CodecChain chain) {
    List<Codec> codecs = chain.codecs();
    Codec last = codecs.get(codecs.size() - 1);
    List<CodecChain> all = new ArrayList<>(List.of(chain));
    List<? extends Codec> others =
        last instanceof Codec.Zstd
            ? List.of(new Codec.Zstd(3), new Codec.Zstd(2))
            : last instanceof Codec.Lz4
                ? List.of(new Codec.Lz4Hc(9), new Codec.Lz4Hc(0), new Codec.Lz4Hc(4))
                : List.of();
    for (Codec other : others) {
      List<Codec> changed = new ArrayList<>(codecs);
      changed.set(codecs.size() - 1, other);
      all.add(new CodecChain(changed));
    }
    return all;
  }

  private static Codec codec(int methodByte, long body) {
    int first = Memory.getByte(body) & 0xff;
    return switch (CompressionMethod.of(methodByte).orElseThrow()) {
      case NONE -> new Codec.None();
      case LZ4 -> new Codec.Lz4();
      case ZSTD -> new Codec.Zstd(1);
      case DELTA -> new Codec.Delta(first);
      case DOUBLE_DELTA -> new Codec.DoubleDelta(first);
      case GORILLA -> new Codec.Gorilla(first);
      case T64 -> new Codec.T64(T64Type.ofNumber(first & 0x7f).orElseThrow(), first >= 0x80);
      case FPC -> new Codec.Fpc(Memory.getByte(body + 1), first);
      case GCD -> new Codec.Gcd(first);
      default -> throw new IllegalArgumentException("method " + methodByte);
    };
  }
}
