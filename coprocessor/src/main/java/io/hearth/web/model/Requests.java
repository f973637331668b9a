package io.hearth.web.model;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.LoadVector;

/** Reads and writes taken together. */
final class Requests {

    private Requests() {}

    static double perSecond(LoadVector load) {
        return load.get(LoadDimension.READS) + load.get(LoadDimension.WRITES);
    }
}
