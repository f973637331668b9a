/** Settings: a key with its default, its unit and its allowed values, and what is wrong with a value that was configured. */
@NullMarked
package io.hearth.common.config;

import org.jspecify.annotations.NullMarked;
