/**
 * What an operator can set: every key with its type, default, bounds and meaning in one place, read once into typed
 * records, with one clear line for every value that can't be used.
 */
@NullMarked
package io.hearth.balancer.config;

import org.jspecify.annotations.NullMarked;
