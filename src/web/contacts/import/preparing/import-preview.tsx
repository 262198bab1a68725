import { useQuery } from '@tanstack/react-query'
import { defaultCategoryColor } from '#shared/contacts/contact-categories.ts'
import type { ImportMapping } from '#shared/contacts/contact-imports.ts'
import { importedRow } from '#shared/text/contacts/imported-row.ts'
import { isMasked } from '#shared/contacts/masked-phone.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { categoryLabel } from '#shared/text/text.ts'
import { CategoryBadge } from '#web/ui/badges/category-badge.tsx'
import { contactQueries } from '#web/contacts/queries.ts'

const anyPhone = '5511987650000'

/** The first rows of the file as they would become. */
export function ImportPreview({
  rows,
  mapping,
  areaCode,
}: {
  rows: readonly string[][]
  mapping: ImportMapping
  areaCode: string | null
}) {
  const { data: categories = [] } = useQuery(contactQueries.categories())
  const categoryOf = (name: string) =>
    categories.find((category) => category.name.toLowerCase() === name.toLowerCase())
  const phoneAt = mapping.indexOf('phone')
  const shown = rows.slice(0, 3).map((cells) => {
    const phone = cells[phoneAt] ?? ''
    // A number that is hidden here is as good as any: only the server can judge it.
    if (!isMasked(phone)) return importedRow(cells, mapping, areaCode)
    const read = importedRow(cells.with(phoneAt, anyPhone), mapping, areaCode)
    return 'error' in read ? read : { ...read, contact: { ...read.contact, phone } }
  })
  // A column of nothing would take the room of the names.
  const hasCategories = shown.some((read) => !('error' in read) && read.contact.category !== '')
  return (
    <div className="border-t border-line">
      <h3 className="px-4 pt-2.5 pb-1 text-xs font-semibold text-ink-2">Como vai ficar</h3>
      <ul aria-label="Como vai ficar">
        {shown.map((read, at) => {
          return (
            <li
              key={at}
              className={[
                'flex min-h-[34px] items-center gap-3 border-t border-line px-4 py-1.5',
                'text-sm first:border-t-0',
              ].join(' ')}
            >
              {'error' in read ? (
                <span className="text-red-text">
                  {read.error.value || '(vazio)'}: {read.error.text}
                </span>
              ) : (
                <>
                  <span className="min-w-0 flex-1 truncate font-medium" title={read.contact.name} dir="auto">
                    {read.contact.name}
                  </span>
                  <span className="flex-none text-ink-2 tabular-nums">{formatPhone(read.contact.phone)}</span>
                  {hasCategories && (
                    <span className="flex w-26 min-w-0 flex-none items-center">
                      {read.contact.category && (
                        <CategoryBadge
                          color={categoryOf(read.contact.category)?.color ?? defaultCategoryColor}
                        >
                          {categoryLabel(categoryOf(read.contact.category)?.name ?? read.contact.category)}
                        </CategoryBadge>
                      )}
                    </span>
                  )}
                </>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
