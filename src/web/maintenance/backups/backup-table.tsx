import { Archive } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'

const headLook = 'h-[34px] px-2 text-left text-xs font-medium text-ink-2 first:pl-4 last:pr-4'

/** Where the table is narrow, the count of conversations gives its width to the name. */
export const countLook = 'md:@max-[860px]:hidden'
/** And where it is not wide, who made a backup stands below when that was. */
export const authorLook = 'md:@max-[1100px]:hidden'
export const authorBelowLook = 'hidden md:@max-[1100px]:block'

/** On small screens the rows are cards, and the columns need no names. */
export function BackupTable({ children }: { children: ReactNode }) {
  return (
    <div className="@container">
      <table className="w-full border-collapse max-md:block md:table-fixed">
        <thead className="bg-sunken max-md:sr-only">
          <tr>
            <th scope="col" className={headLook}>
              Nome
            </th>
            <th scope="col" className={`${headLook} w-[16%] @max-[860px]:w-34`}>
              Status
            </th>
            <th scope="col" className={`${headLook} w-22 text-right ${countLook}`}>
              Conversas
            </th>
            <th scope="col" className={`${headLook} w-24 text-right`}>
              Tamanho
            </th>
            <th scope="col" className={`${headLook} w-34`}>
              Criado em
            </th>
            <th scope="col" className={`${headLook} w-29 ${authorLook}`}>
              Por
            </th>
            <th scope="col" className={`${headLook} w-60 text-right @max-[860px]:w-28`}>
              Ações
            </th>
          </tr>
        </thead>
        <tbody className="max-md:block">{children}</tbody>
      </table>
    </div>
  )
}

export function NoBackups() {
  return (
    <EmptyState
      icon={Archive}
      title="Nenhum backup ainda"
      description={
        'Um backup guarda configurações, contatos, empresas e conversas arquivadas, com as mídias. ' +
        'Comece em “Criar backup”.'
      }
    />
  )
}

export function BackupTableSkeleton() {
  return (
    <div role="status" aria-busy aria-label="Carregando os backups">
      <div className="h-[34px] bg-sunken max-md:hidden" />
      {Array.from({ length: 3 }, (_, at) => (
        <div
          key={at}
          className="flex h-[46px] items-center gap-3 border-t border-line px-4 max-md:nth-2:border-t-0"
        >
          <Skeleton className="w-48" />
          <Skeleton className="w-20" />
          <Skeleton className="ml-auto w-40 max-md:hidden" />
        </div>
      ))}
    </div>
  )
}
