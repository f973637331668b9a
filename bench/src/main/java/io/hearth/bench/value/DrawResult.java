// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import io.hearth.bench.value.LayoutResult.Balancer;
import java.util.List;

/**
 * What came of one draw of how often regions are asked.
 *
 * @param skewInPlace max/mean of requests before any region has moved
 * @param layouts one for each balancer
 */
public record DrawResult(double skewInPlace, List<LayoutResult> layouts) {

    public DrawResult {
        layouts = List.copyOf(layouts);
    }

    /** @throws java.util.NoSuchElementException if that balancer was left out */
    LayoutResult of(Balancer balancer) {
        return layouts.stream()
                .filter(layout -> layout.balancer() == balancer)
                .findFirst()
                .orElseThrow();
    }
}
