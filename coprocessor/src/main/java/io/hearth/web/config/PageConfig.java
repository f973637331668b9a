package io.hearth.web.config;

/**
 * What an operator has set about the page, parsed. {@link PageSettings} has the keys, defaults and meanings. Immutable.
 *
 * @param sampleMs how often heat is sampled for the page's history, in milliseconds
 */
public record PageConfig(boolean enabled, boolean actions, long sampleMs) {}
