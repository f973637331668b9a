/**
 * What an operator can set about healing: every {@code hearth.heal.} key and the {@code HEARTH_HEAL} value of a table.
 */
@NullMarked
package io.hearth.healer.config;

import org.jspecify.annotations.NullMarked;
