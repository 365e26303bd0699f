/**
 * Text to trees. Start with {@link io.coppice.language.parse.Parser}. Any thread may call it.
 *
 * <p>Errors name line, column, what was found and what was expected. Input of any size and depth
 * ends in a tree or in an error: the depth of rules and of trees is bounded.
 */
package io.coppice.language.parse;
