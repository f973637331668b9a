// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PageDocumentTest {

    private static final String HTML = PageDocument.html();

    @Test
    void nothingComesFromElsewhere() {
        assertThat(HTML.replace("http://www.w3.org/2000/svg", ""))
                .doesNotContain("http://", "https://", "@import", "url(");
        assertThat(HTML).doesNotContain("/*STYLE*/", "/*SCRIPT*/");
    }

    @Test
    void nothingIsPutInAsHtmlAndNothingIsInlineThatThePolicyForbids() {
        assertThat(HTML)
                .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(");
        assertThat(HTML).doesNotContain(" style=\"", " onclick=\"", "javascript:");
    }

    @Test
    void thePolicyAllowsThisStyleAndThisScriptAlone() throws Exception {
        assertThat(PageDocument.contentSecurityPolicy())
                .isEqualTo(
                        "default-src 'none'; style-src 'sha256-" + hash("style") + "'; script-src 'sha256-"
                                + hash("script")
                                + "'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    }

    private static String hash(String tag) throws Exception {
        Matcher matcher = Pattern.compile("<" + tag + ">(.*?)</" + tag + ">", Pattern.DOTALL)
                .matcher(HTML);
        assertThat(matcher.find()).isTrue();
        byte[] digest =
                MessageDigest.getInstance("SHA-256").digest(matcher.group(1).getBytes(StandardCharsets.UTF_8));
        assertThat(matcher.find()).as("another " + tag).isFalse();
        return Base64.getEncoder().encodeToString(digest);
    }
}
