package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;

class BufferPoolTest {
  private static final long MEGABYTE = 1 << 20;

  @Test
  void aBufferGivenBackIsTheNextOfItsSize() {
    BufferPool.Pooled pooled = BufferPool.allocator(64 * MEGABYTE);
    try (BufferPool pool = pooled.pool();
        BufferAllocator allocator = pooled.allocator()) {
      ArrowBuf first = allocator.buffer(MEGABYTE);
      long address = first.memoryAddress();
      first.close();
      assertThat(pool.heldBytes()).isEqualTo(MEGABYTE);

      try (ArrowBuf half = allocator.buffer(MEGABYTE / 2);
          ArrowBuf second = allocator.buffer(MEGABYTE)) {
        assertThat(second.memoryAddress()).isEqualTo(address);
        assertThat(half.memoryAddress()).isNotEqualTo(address);
        assertThat(pool.heldBytes()).isZero();
      }
    }
  }

  @Test
  void smallAndOddAndVeryLargeBuffersAreNotKept() {
    BufferPool.Pooled pooled = BufferPool.allocator(1024 * MEGABYTE);
    try (BufferPool pool = pooled.pool();
        BufferAllocator allocator = pooled.allocator()) {
      for (long size : new long[] {0, 1, 4096, 64 * MEGABYTE, 40 * MEGABYTE + 8}) {
        allocator.buffer(size).close();
      }
      assertThat(pool.heldBytes()).isZero();
    }
  }

  @Test
  void keptBuffersGiveWayToTheBudget() {
    BufferPool.Pooled pooled = BufferPool.allocator(16 * MEGABYTE);
    try (BufferPool pool = pooled.pool();
        BufferAllocator allocator = pooled.allocator()) {
      allocator.buffer(MEGABYTE).close();
      allocator.buffer(2 * MEGABYTE).close();
      allocator.buffer(4 * MEGABYTE).close();
      assertThat(pool.heldBytes()).as("at most a quarter of the budget").isEqualTo(3 * MEGABYTE);

      try (ArrowBuf most = allocator.buffer(16 * MEGABYTE)) {
        assertThat(most.capacity()).isEqualTo(16 * MEGABYTE);
        assertThat(pool.heldBytes()).isZero();
      }
    }
  }

  @Test
  void aBufferThatComesBackLateIsNotKept() {
    BufferPool.Pooled pooled = BufferPool.allocator(64 * MEGABYTE);
    try (BufferAllocator allocator = pooled.allocator()) {
      ArrowBuf late = allocator.buffer(MEGABYTE);
      pooled.pool().close();
      late.close();
      assertThat(pooled.pool().heldBytes()).isZero();
    }
  }
}
