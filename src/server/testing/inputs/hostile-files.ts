import { deflateRawSync, gzipSync } from 'node:zlib'

const text = (content: string, encoding: BufferEncoding = 'utf8') => Buffer.from(content, encoding)
/** Runs if a page or script loads any of these files. */
const run = 'globalThis.__ran?.()'
const script = `<script>${run}</script>`
const svg = (inside: string, attributes = '') =>
  text(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`)
const png = Buffer.from('89504e470d0a1a0a', 'hex')

/** The header of a PNG with enormous dimensions. */
function hugePng(): Buffer {
  const size = Buffer.alloc(8)
  size.writeUInt32BE(50_000, 0)
  size.writeUInt32BE(50_000, 4)
  return Buffer.concat([png, Buffer.from('0000000d49484452', 'hex'), size, Buffer.from('0802000000', 'hex')])
}

/** By kind, files that have broken browsers, viewers or decompressors. */
export const hostileFiles: Readonly<Record<string, Buffer>> = {
  'svg with a script': svg(script),
  'svg with a declaration': text(
    `<?xml version="1.0"?><svg onload="${run}" xmlns="http://www.w3.org/2000/svg"/>`,
  ),
  'svg with an entity': text(
    `<!DOCTYPE svg [<!ENTITY x "${run}">]><svg xmlns="http://www.w3.org/2000/svg" onload="&x;"/>`,
  ),
  'svg with a foreign object': svg(
    `<foreignObject><body xmlns="http://www.w3.org/1999/xhtml">${script}</body></foreignObject>`,
  ),
  'svg with a link': svg(`<a href="javascript:${run}"><text y="20">x</text></a>`),
  'svg with an animation': svg(
    `<animate attributeName="href" values="javascript:${run}"/><set onbegin="${run}"/>`,
  ),
  'svg in gzip': gzipSync(svg(script)),
  html: text(`<!doctype html>${script}`),
  'html behind spaces': text(`${' '.repeat(600)}<html>${script}`),
  'html behind a comment': text(`<!--${'x'.repeat(2000)}--><html>${script}`),
  'html in utf-16': text(`\ufeff<html>${script}`, 'utf16le'),
  'html in utf-7': text(`+ADw-script+AD4-${run}+ADw-/script+AD4-`),
  'html that loads by itself': text(`<meta http-equiv="refresh" content="0;url=javascript:${run}">`),
  'html with a frame': text(`<iframe srcdoc="${script.replaceAll('"', '&quot;')}"></iframe>`),
  'html with a picture that fails': text(`<img src=x onerror="${run}">`),
  xhtml: text(`<html xmlns="http://www.w3.org/1999/xhtml">${script}</html>`),
  'xml with a stylesheet': text(`<?xml version="1.0"?><?xml-stylesheet href="javascript:${run}"?><a/>`),
  'xml that grows': text(
    '<!DOCTYPE a [<!ENTITY b "xxxxxxxxxx"><!ENTITY c "&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;">]><a>&d;</a>',
  ),
  'xslt with a script': text(
    '<xsl:stylesheet xmlns:xsl="http://www.w3.org/1999/XSL/Transform">' +
      `<xsl:template match="/">${script}</xsl:template></xsl:stylesheet>`,
  ),
  mathml: text(`<math xmlns="http://www.w3.org/1998/Math/MathML" href="javascript:${run}">x</math>`),
  'gif that is a script': text(`GIF89a/*\0\0\0\0*/=1;${run}//`),
  'jpeg that is a page': Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), text(`<html>${script}`)]),
  'png that is a page': Buffer.concat([png, text(`<html>${script}`)]),
  'png of 50,000 by 50,000': hugePng(),
  'webp that is a page': Buffer.concat([text('RIFF\x10\0\0\0WEBP', 'latin1'), text(`<html>${script}`)]),
  'mp4 of no brand': Buffer.concat([
    Buffer.from('0000001866747970', 'hex'),
    text('xxxx\0\0\0\0', 'latin1'),
    text(script),
  ]),
  'ogg that is a page': Buffer.concat([text('OggS\0\x02', 'latin1'), text(`<html>${script}`)]),
  'mp3 that is a page': Buffer.concat([text('ID3\x03\0\0\0\0\0\0', 'latin1'), text(`<html>${script}`)]),
  'pdf with a script': text(
    `%PDF-1.4\n1 0 obj<</OpenAction<</S/JavaScript/JS(${run})>>>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF`,
  ),
  'pdf and html': text(`%PDF-1.4\n<html>${script}`),
  javascript: text(run),
  'a module': text(`export default ${run}`),
  json: text(`{"a":"</script>${script}"}`),
  css: text('body{background:url(//exemplo.invalid/x)}'),
  'a jar in a gif': Buffer.concat([text('GIF89a'), text('PK\x03\x04META-INF/MANIFEST.MF', 'latin1')]),
  'a zip that swells': deflateRawSync(Buffer.alloc(20_000_000)),
  mhtml: text(`MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n${script}`),
  'a web archive': text(`bplist00${script}`),
  hta: text(`<hta:application>${script}`),
  'a shortcut': text(`[InternetShortcut]\nURL=javascript:${run}`),
  flash: text('CWS\x0a\0\0\0\0', 'latin1'),
  'a page behind a mark': Buffer.concat([Buffer.from('efbbbf', 'hex'), text(`<!doctype html>${script}`)]),
}
