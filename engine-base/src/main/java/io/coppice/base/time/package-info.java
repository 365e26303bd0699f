/**
 * Time as a parameter: {@link io.coppice.base.time.TimeSource}, the machine's or a test's. The only
 * package that asks the JDK what time it is. Any thread may call it.
 */
package io.coppice.base.time;
