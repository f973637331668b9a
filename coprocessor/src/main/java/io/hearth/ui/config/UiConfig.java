// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.config;

/**
 * What an operator has set about the page, parsed. {@link UiSettings} has the keys, defaults and meanings. Immutable.
 *
 * @param sampleMs how often heat is sampled for the page's history, in milliseconds
 */
public record UiConfig(boolean enabled, boolean actions, long sampleMs) {}
