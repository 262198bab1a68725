import { findPackage, makeLinks } from '#server/platform/embedded-postgres/binaries.ts'

// Does what a first start does in the program's own folder, for an installation whose account may not write
// there: an image, or a folder that belongs to root. The web is built before, as before each start. Without
// anything to do it writes nothing, so under that account it shows whether the folder is ready.

if (!process.env['DATABASE_URL']) {
  const { folder } = await findPackage()
  if (!(await makeLinks(folder)))
    throw new Error(`${folder}: the links of the embedded PostgreSQL are missing`)
}
console.log('The program is ready to start.')
