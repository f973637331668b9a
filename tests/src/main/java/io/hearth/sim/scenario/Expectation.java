package io.hearth.sim.scenario;

import io.hearth.balancer.load.LoadDimension;

/** One thing that is expected of a run. Immutable. */
public sealed interface Expectation {

    /** The sentence as it stands in the file. */
    String text();

    /** Max/mean of a dimension is at most (or at least) this in every sample of a span. */
    record MaxOverMean(String text, LoadDimension dimension, double limit, boolean isAtMost, Span during)
            implements Expectation {}

    /** So many moves in a span, at most. */
    record Moves(String text, int most, Span during) implements Expectation {}

    /** So many moves to this server in a span, at most. */
    record MovesTo(String text, int most, int server, Span during) implements Expectation {}

    /** So many moves at least: the scenario is about moving. */
    record SomeMoves(String text, int fewest, Span during) implements Expectation {}

    /** So many moves in any stretch of this length, at most. */
    record MovesInAny(String text, int most, long withinMs) implements Expectation {}

    /** So many moves of one region in any stretch of this length, at most. */
    record MovesOfOneRegion(String text, int most, long withinMs) implements Expectation {}

    /** So many times that a region went A, B, A within this time, at most. */
    record Returns(String text, int most, long withinMs) implements Expectation {}

    /** This region is not moved in a span. */
    record Stays(String text, String table, int region, Span during) implements Expectation {}

    /** The moved regions have so many bytes of store files together, at most. */
    record BytesMoved(String text, long most, Span during) implements Expectation {}

    /** Replicas of one region are never on one server. */
    record ReplicasApart(String text) implements Expectation {}

    /** The balancer says that this region should be split. */
    record SaysSplit(String text, String table, int region) implements Expectation {}
}
