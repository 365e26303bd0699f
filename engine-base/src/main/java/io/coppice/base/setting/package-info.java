/**
 * What an operator may set: {@link io.coppice.base.setting.Setting} declares a number once, with
 * its limits and its words; pages are generated from these. Immutable; any thread may use them.
 */
package io.coppice.base.setting;
