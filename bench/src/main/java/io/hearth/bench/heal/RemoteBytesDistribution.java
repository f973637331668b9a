// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import java.util.Random;

/** Where the 30 % of bytes that are not local are. */
public enum RemoteBytesDistribution {
    /** 30 % of each region, all regions of one size. */
    OF_EACH_EQUAL("30 % of each region, sizes equal", false),
    /** 30 % of each region, sizes lognormal with sigma 1. */
    OF_EACH("30 % of each region, sizes differ", true),
    /** Of each region any share from 0 to 60 %, sizes lognormal with sigma 1. */
    ANY_SHARE("0 to 60 % of each region, sizes differ", true),
    /** All of 30 % of the regions and nothing of the others, all regions of one size: they were dealt out after a crash. */
    WHOLE_REGIONS_EQUAL("all of 30 % of the regions, sizes equal", false),
    /** The same, sizes lognormal with sigma 1. */
    WHOLE_REGIONS("all of 30 % of the regions, sizes differ", true);

    static final double SHARE = 0.3;

    private static final double BYTES = 10.0 * (1 << 30);

    private final String label;
    private final boolean sizesDiffer;

    RemoteBytesDistribution(String label, boolean sizesDiffer) {
        this.label = label;
        this.sizesDiffer = sizesDiffer;
    }

    /** What a table calls it. */
    public String label() {
        return label;
    }

    /** The bytes of one region. */
    long bytes(Random random) {
        return Math.round(sizesDiffer ? BYTES * Math.exp(random.nextGaussian()) : BYTES);
    }

    /** The share of one region's bytes that is not local. */
    double share(Random random) {
        return switch (this) {
            case OF_EACH_EQUAL, OF_EACH -> SHARE;
            case ANY_SHARE -> 2 * SHARE * random.nextDouble();
            case WHOLE_REGIONS_EQUAL, WHOLE_REGIONS -> random.nextDouble() < SHARE ? 1 : 0;
        };
    }
}
