/** How ClickHouse writes names and literals in text. Any thread may use it. */
package io.coppice.language.text;
