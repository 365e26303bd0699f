/** Random scripts for two engines: what both say to the same statements must be equal. */
package io.coppice.query.script;
