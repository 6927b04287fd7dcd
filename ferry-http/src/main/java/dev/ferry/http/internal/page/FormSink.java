package dev.ferry.http.internal.page;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The body of a form, {@code multipart/form-data} (RFC 7578), whose files are stored as they
 * arrive. Each is stored whole or not at all; those before one that fails stay.
 *
 * <p>A file replaces another one only if the field {@code replace} came before it. Other fields are
 * ignored. A name may have folders, which are made.
 */
public final class FormSink implements FileSink {
  /** Files that a form may have, since the response names them. */
  private static final int MAX_FILES = 1000;

  private static final int WINDOW_BYTES = 256 * 1024;
  private static final int MAX_HEAD_BYTES = 8 * 1024;
  private static final byte[] CRLF = {'\r', '\n'};
  private static final byte[] HEAD_END = {'\r', '\n', '\r', '\n'};

  private static final Pattern BOUNDARY =
      Pattern.compile(
          "multipart/form-data\\s*;(?:.*;)?\\s*boundary=(?:\"([^\"]{1,70})\"|([^\\s;\"]{1,70}))\\s*(?:;.*)?",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern DISPOSITION =
      Pattern.compile("content-disposition:\\s*form-data\\s*(;.*)", Pattern.CASE_INSENSITIVE);

  private enum State {
    PREAMBLE,
    /** After a boundary, which may be the last one. */
    BOUNDARY_END,
    HEAD,
    CONTENT,
    EPILOGUE
  }

  private final FileStore store;
  private final StorePath folder;
  private final byte[] delimiter;
  private final byte[] window = new byte[WINDOW_BYTES];
  private final List<String> stored = new ArrayList<>();
  private State state = State.PREAMBLE;
  private int filled;
  private boolean replace;
  private long written;

  /** That of the file whose content arrives; null for a field. */
  private @Nullable FileSink file;

  private StorePath path = StorePath.ROOT;
  private boolean replaceField;

  /**
   * @param folder where the files are stored
   * @param contentType the field of the request
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if it has no boundary
   */
  public FormSink(FileStore store, StorePath folder, String contentType) throws FerryException {
    this.store = store;
    this.folder = folder;
    Matcher boundary = BOUNDARY.matcher(contentType);
    if (!boundary.matches()) {
      throw invalid("Content-Type has no boundary");
    }
    String text = boundary.group(1) == null ? boundary.group(2) : boundary.group(1);
    this.delimiter = ("\r\n--" + text).getBytes(StandardCharsets.ISO_8859_1);
    // The first boundary may be the first line.
    System.arraycopy(CRLF, 0, window, 0, CRLF.length);
    filled = CRLF.length;
  }

  private static FerryException invalid(String why) {
    return new FerryException(
        ErrorKind.INVALID_REQUEST, "form: " + why + "; send multipart/form-data as browsers do");
  }

  /** Returns the paths of the files that are stored. */
  public List<String> stored() {
    return stored;
  }

  @Override
  public void write(ByteBuffer source) throws FerryException {
    written += source.remaining();
    while (source.hasRemaining()) {
      int more = Math.min(source.remaining(), window.length - filled);
      source.get(window, filled, more);
      filled += more;
      int used = 0;
      for (int next = step(0); next > used; next = step(used)) {
        used = next;
      }
      System.arraycopy(window, used, window, 0, filled - used);
      filled -= used;
    }
  }

  /**
   * Uses bytes of the window. Returns the first that is not used, {@code from} if more must come.
   */
  private int step(int from) throws FerryException {
    return switch (state) {
      case PREAMBLE, CONTENT -> content(from);
      case BOUNDARY_END -> boundaryEnd(from);
      case HEAD -> head(from);
      case EPILOGUE -> filled;
    };
  }

  private int content(int from) throws FerryException {
    int at = indexOf(delimiter, from);
    // The last bytes may be the begin of a boundary.
    int end = at >= 0 ? at : Math.max(from, filled - delimiter.length + 1);
    if (file != null && end > from) {
      file.write(ByteBuffer.wrap(window, from, end - from));
    }
    if (at < 0) {
      return end;
    }
    endPart();
    state = State.BOUNDARY_END;
    return at + delimiter.length;
  }

  private void endPart() throws FerryException {
    if (file == null) {
      replace |= replaceField;
      replaceField = false;
      return;
    }
    file.commit(-1, null);
    closeFile();
    stored.add(path.value());
  }

  private int boundaryEnd(int from) throws FerryException {
    if (filled - from < 2) {
      return from;
    }
    byte first = window[from];
    if (first == '-' && window[from + 1] == '-') {
      state = State.EPILOGUE;
    } else if (first == '\r' && window[from + 1] == '\n') {
      state = State.HEAD;
    } else if (first == ' ' || first == '\t') {
      return from + 1;
    } else {
      throw invalid("a boundary does not end its line");
    }
    return from + 2;
  }

  private int head(int from) throws FerryException {
    int end = indexOf(HEAD_END, from);
    if (end < 0 || end - from > MAX_HEAD_BYTES) {
      if (filled - from > MAX_HEAD_BYTES) {
        throw invalid("the head of a part has more than " + MAX_HEAD_BYTES + " bytes");
      }
      return from;
    }
    begin(new String(window, from, end - from, StandardCharsets.UTF_8));
    state = State.CONTENT;
    return end + HEAD_END.length;
  }

  private void begin(String head) throws FerryException {
    for (String line : head.split("\r\n", -1)) {
      Matcher field = DISPOSITION.matcher(line);
      if (field.matches()) {
        begin(parameters(field.group(1)));
        return;
      }
    }
    throw invalid("a part has no Content-Disposition: form-data");
  }

  private void begin(Map<String, String> field) throws FerryException {
    String name = field.get("filename");
    String extended = field.get("filename*");
    if (extended != null) {
      name = decoded(extended);
    }
    if (name == null) {
      replaceField = "replace".equals(field.get("name"));
      return;
    }
    if (name.isEmpty()) {
      // A browser sends this if no file was chosen.
      return;
    }
    if (stored.size() == MAX_FILES) {
      throw invalid("it has more than " + MAX_FILES + " files");
    }
    path = StorePath.parse(folder.child(StorePath.parse(name).value()).value());
    file = store.create(path, new CreateOptions(!replace, true));
  }

  /** Parses {@code ; name="..."; filename="..."}. */
  private static Map<String, String> parameters(String text) {
    Map<String, String> parameters = new HashMap<>();
    int at = 0;
    while (at >= 0 && at < text.length()) {
      int equals = text.indexOf('=', at);
      if (equals < 0) {
        break;
      }
      String key = text.substring(at, equals).replace(";", "").strip().toLowerCase(Locale.ROOT);
      if (text.startsWith("\"", equals + 1)) {
        int end = endOfQuoted(text, equals + 2);
        parameters.put(key, unquoted(text.substring(equals + 2, end)));
        at = end + 1;
      } else {
        int end = text.indexOf(';', equals);
        parameters.put(key, text.substring(equals + 1, end < 0 ? text.length() : end).strip());
        at = end;
      }
    }
    return parameters;
  }

  /**
   * Finds the quote at the end of a value. Browsers write a quote in it as {@code %22} and a
   * backslash as it is; other clients write {@code \"}, behind which the value goes on.
   */
  private static int endOfQuoted(String text, int from) {
    for (int at = from; at < text.length(); at++) {
      boolean escaped = at > from && text.charAt(at - 1) == '\\';
      if (text.charAt(at) == '"'
          && (!escaped || at + 1 == text.length() || text.charAt(at + 1) == ';')) {
        return at;
      }
    }
    return text.length();
  }

  private static String unquoted(String value) {
    return value
        .replace("\\\"", "\"")
        .replace("%22", "\"")
        .replace("%0D", "\r")
        .replace("%0A", "\n");
  }

  private static String decoded(String extended) throws FerryException {
    String[] parts = extended.split("'", 3);
    try {
      if (parts.length == 3 && parts[0].equalsIgnoreCase("utf-8")) {
        return URLDecoder.decode(parts[2].replace("+", "%2B"), StandardCharsets.UTF_8);
      }
    } catch (IllegalArgumentException e) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, "form: filename*=" + extended + " is malformed", e);
    }
    throw invalid("filename*=" + extended + " is malformed");
  }

  private int indexOf(byte[] wanted, int from) {
    int last = filled - wanted.length;
    for (int at = from; at <= last; at++) {
      if (window[at] == '\r'
          && Arrays.equals(window, at, at + wanted.length, wanted, 0, wanted.length)) {
        return at;
      }
    }
    return -1;
  }

  @Override
  public void expect(long size) {}

  @Override
  public void checkExpansion(long arrived) {}

  @Override
  public long written() {
    return written;
  }

  /** Ends the form. */
  @Override
  public FileFacts commit(long expectedSize, @Nullable Digest expectedDigest)
      throws FerryException {
    if (state != State.EPILOGUE) {
      throw new FerryException(
          ErrorKind.INCOMPLETE, "form: it ends before its last boundary; send it again");
    }
    return new FileFacts(folder.value(), written, FileFacts.UNKNOWN_TIME, true, null);
  }

  @Override
  public void close() throws FerryException {
    closeFile();
  }

  private void closeFile() throws FerryException {
    FileSink begun = file;
    file = null;
    if (begun != null) {
      begun.close();
    }
  }
}
