/**
 * How long a heal will take, said before it begins.
 */
@NullMarked
package io.hearth.healer.estimate;

import org.jspecify.annotations.NullMarked;
