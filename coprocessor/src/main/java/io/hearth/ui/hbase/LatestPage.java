// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import java.util.Optional;
import org.apache.hadoop.hbase.master.HMaster;

/** What one master's page shows, for those who ask by another way than HTTP; the page need not be installed. Stateless. */
public final class LatestPage {

    private LatestPage() {}

    /** All views in one, of a few seconds ago at most; the answer is "not yet" for the first second. */
    public static ApiResponse of(HMaster master) {
        Optional<PublishedPage> published = PagePublisherRegistry.of(master).fresh();
        return published
                .map(now -> ApiResponse.json(ApiResponse.OK, now.json(ApiResource.PAGE)))
                .orElseGet(() ->
                        ApiResponse.problem(ApiResponse.UNAVAILABLE, "Nothing is polled yet: ask again in a second."));
    }
}
