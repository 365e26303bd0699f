/** Guards of public entries and of invariants, always on. Any thread may call them. */
package io.coppice.base.check;
