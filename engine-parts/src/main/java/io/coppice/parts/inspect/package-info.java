/**
 * A whole part looked through for damage and contradictions. Start with {@link
 * io.coppice.parts.inspect.PartInspector}. Reads only; belongs to one thread.
 */
package io.coppice.parts.inspect;
