/**
 * Errors with ClickHouse's numbers. Start with {@link io.coppice.base.error.ErrorCode}; one
 * exception type, {@link io.coppice.base.error.EngineException}, at the public API.
 */
package io.coppice.base.error;
