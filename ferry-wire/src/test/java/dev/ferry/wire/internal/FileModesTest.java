package dev.ferry.wire.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whom the owner of a file or folder makes it untrusted for. */
class FileModesTest {
  private static final int ROOT = 0;

  @TempDir Path folder;
  private Path file = Path.of("");

  /** The user who runs the tests. */
  private final int self = (int) new UnixSystem().getUid();

  @BeforeEach
  void makeFile() throws IOException {
    file = folder.resolve("file");
    FileModes.createPrivate(file);
  }

  /** A user to whom nothing belongs; root has to give away files for this, others need not. */
  private int stranger(Path given) throws IOException {
    if (self == ROOT) {
      Files.setAttribute(given, "unix:uid", 4711, LinkOption.NOFOLLOW_LINKS);
      return self;
    }
    return self + 1;
  }

  @Test
  void distrust_ofOwnFile_isNone() throws IOException {
    assertThat(FileModes.distrust(file)).isNull();
    assertThat(FileModes.distrust(file, self)).isNull();
  }

  @Test
  void distrust_ofAFileOfAnotherUser_saysSo() throws IOException {
    assertThat(FileModes.distrust(file, stranger(file)))
        .isEqualTo(file + ": another user owns it; run chown to make it yours or root's");
  }

  @Test
  void textOfOwner_ofAFileOfAnotherUser_isForRootToChange() throws IOException {
    assumeTrue(self == ROOT, "only root can give a file away");
    Files.writeString(file, "contents");
    stranger(file);
    assertThat(FileModes.textOfOwner(file)).isEqualTo("contents");
    assertThatThrownBy(() -> FileModes.trustedText(file)).hasMessageContaining("another user owns");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));
    assertThatThrownBy(() -> FileModes.textOfOwner(file)).hasMessageContaining("others may write");
  }

  @Test
  void distrust_ofAFileBehindALinkOfAnotherUser_saysSo() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    assertThat(FileModes.distrust(link)).isNull();
    assertThat(FileModes.distrust(link, stranger(link)))
        .isEqualTo(link + ": another user owns it; run chown to make it yours or root's");
  }

  @Test
  void distrust_ofAFileInAFolderOfAnotherUser_saysSo() throws IOException {
    assumeTrue(self == ROOT, "only root can give a folder away");
    assertThat(FileModes.distrust(file, stranger(folder)))
        .isEqualTo(
            file + ": another user owns the folder " + folder + "; move the file to another");
  }
}
