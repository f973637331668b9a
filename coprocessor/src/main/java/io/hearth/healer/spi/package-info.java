/**
 * The ports through which healing sees the cluster. Each answers with a value, with the word that the thing is gone, or
 * with the reason why nobody knows.
 */
@NullMarked
package io.hearth.healer.spi;

import org.jspecify.annotations.NullMarked;
