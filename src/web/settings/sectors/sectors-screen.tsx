import { useQuery } from '@tanstack/react-query'
import { Layers, Plus } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { ManagedSector, ManagedSectors } from '#shared/sectors/managed-sectors.ts'
import { fold } from '#shared/text/fold.ts'
import { useMediaQuery } from '#web/platform/browser/media-query.ts'
import { sectorQueries } from '#web/sectors/sectors.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { cn } from '#web/ui/cn.ts'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { DeniedState } from '#web/ui/states/denied-state.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { useCan } from '#web/users/users.tsx'
import { FirstSectorTour } from './creating/first-sector-tour.tsx'
import { NewSectorDialog } from './creating/new-sector-dialog.tsx'
import { DeleteSectorDialog } from './delete-sector-dialog.tsx'
import { SectorEditor } from './editor/sector-editor.tsx'
import { MenuOffer } from './list/menu-offer.tsx'
import { NoSector, SectorList } from './list/sector-list.tsx'
import { managedSectorsQuery } from './queries.ts'
import { SectorsSkeleton } from './sectors-skeleton.tsx'
import { counted, peopleWords } from './words.ts'

/** `/setores`: the parts of the team, each with its people, numbers, hours and texts. */
export function SectorsScreen() {
  return useCan('runSector') ? <Sectors /> : <DeniedState isPage />
}

/** From here on the editor stands beside the list; below it is a page of its own. */
const isBesideList = '(min-width: 75rem)'
const sectorParam = 'setor'

function Sectors() {
  const managed = useQuery(managedSectorsQuery())
  const { error, isFetching, refetch } = managed
  // The other sectors of a person stand in their row, and would move what is beside them.
  const { isPending } = useQuery(sectorQueries.known())
  const data = isPending ? undefined : managed.data
  const mayManage = useCan('manageSectors')
  const [search, setSearch] = useState('')
  const [isCreating, setCreating] = useState(false)
  const isBeside = useMediaQuery(isBesideList)
  const [params] = useSearchParams()
  const isEditorAlone = !isBeside && params.has(sectorParam)
  const isEmpty = data?.sectors.length === 0
  const create = (label: string) => (
    <Button variant="primary" icon={Plus} onClick={() => setCreating(true)}>
      {label}
    </Button>
  )
  return (
    <Page
      title="Setores"
      // A line that comes later would move what is below it.
      subtitle={data && !isEmpty ? summaryOf(data.sectors) : '\u00a0'}
      actions={
        !isEditorAlone && (
          // They keep their place where there is nothing to search, since that is not known before.
          <div className={cn('flex items-center gap-2', isEmpty && 'invisible')}>
            <SearchField
              className="w-[220px] max-md:w-44"
              value={search}
              onChange={setSearch}
              placeholder="Buscar setor..."
            />
            {mayManage && create('Novo setor')}
          </div>
        )
      }
    >
      {data ? (
        <Body
          managed={data}
          search={search}
          isBeside={isBeside}
          create={mayManage && create('Criar o primeiro setor')}
          isCreating={isCreating}
          onCreate={setCreating}
          onClearSearch={() => setSearch('')}
        />
      ) : error ? (
        <Card>
          <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
        </Card>
      ) : (
        <SectorsSkeleton hasEditor={isBeside} />
      )}
    </Page>
  )
}

function Body({
  managed,
  search,
  isBeside,
  create,
  isCreating,
  onCreate,
  onClearSearch,
}: {
  managed: ManagedSectors
  search: string
  isBeside: boolean
  /** The button; false for who may not. */
  create: ReactNode
  isCreating: boolean
  onCreate: (isCreating: boolean) => void
  onClearSearch: () => void
}) {
  const [deletedId, setDeletedId] = useState<number>()
  const { none, inherited } = managed
  const sectors = managed.sectors.filter(({ id }) => id !== deletedId)
  const mayManage = useCan('manageSectors')
  const [params, setParams] = useSearchParams()
  const [isDeleting, setDeleting] = useState(false)
  // Unsaved changes of a sector that is gone stay in sight.
  const [unsaved, setUnsaved] = useState<ManagedSector>()
  const show = (id: number | undefined, isReplaced = false) =>
    setParams(
      (old) => {
        if (id === undefined) old.delete(sectorParam)
        else old.set(sectorParam, String(id))
        return old
      },
      { replace: isReplaced },
    )
  const asked = Number(params.get(sectorParam)) || undefined
  // Without one in the address the one that is being edited stays, wherever it moves in the list.
  const wanted = asked ?? (isBeside ? unsaved?.id : undefined)
  const known = sectors.find(({ id }) => id === wanted)
  const held = unsaved?.id === wanted ? unsaved : undefined
  const chosen = known ?? held ?? (isBeside ? sectors[0] : undefined)
  const isUnknown = asked !== undefined && !known && !held
  const forget = useEffectEvent(() => show(undefined, true))
  useEffect(() => {
    if (isUnknown) forget()
  }, [isUnknown])
  const words = fold(search.trim())
  const found = sectors.filter(({ name }) => fold(name).includes(words))
  const created = (id: number) => {
    onCreate(false)
    show(id)
  }
  const Creating = sectors.length === 0 ? FirstSectorTour : NewSectorDialog
  const dialog = isCreating && (
    <Creating managed={managed} onClose={() => onCreate(false)} onCreated={created} />
  )
  if (sectors.length === 0 && !chosen)
    return (
      <Card className="flex min-h-80 flex-col">
        <EmptyState
          icon={Layers}
          title="Nenhum setor ainda"
          description="Tudo segue numa fila só. Com o primeiro setor, cada conversa ganha o seu lugar."
          action={create}
        />
        {dialog}
      </Card>
    )
  const list = (
    <div className="min-w-0">
      {found.length > 0 ? (
        <SectorList
          sectors={found}
          timezone={inherited.installation.timezone}
          chosenId={chosen?.id}
          mayOrder={mayManage && words === '' && sectors.length > 1}
        />
      ) : (
        <Card>
          <EmptyState
            icon={Layers}
            title="Nenhum setor encontrado para a busca"
            action={<Button onClick={onClearSearch}>Limpar busca</Button>}
          />
        </Card>
      )}
      {words === '' && <NoSector none={none} />}
      {words === '' && <MenuOffer sectors={sectors} />}
    </div>
  )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[340px_minmax(0,1fr)]">
      {(isBeside || !chosen) && list}
      {chosen && (
        <SectorEditor
          key={chosen.id}
          sector={chosen}
          place={sectors.indexOf(chosen) + 1 || sectors.length + 1}
          isGone={!sectors.includes(chosen)}
          managed={managed}
          onUnsaved={setUnsaved}
          onDelete={() => setDeleting(true)}
          onBack={isBeside ? undefined : () => show(undefined)}
        />
      )}
      {dialog}
      {isDeleting && chosen && (
        <DeleteSectorDialog
          sector={chosen}
          others={sectors}
          numbers={inherited.numbers}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            setDeleting(false)
            setUnsaved(undefined)
            setDeletedId(chosen.id)
          }}
        />
      )}
    </div>
  )
}

/** '5 ativos, 1 inativo, 8 pessoas' */
function summaryOf(sectors: readonly ManagedSector[]): string {
  const active = sectors.filter(({ isActive }) => isActive).length
  const inactive = sectors.length - active
  const people = new Set(sectors.flatMap((sector) => sector.people.map(({ userId }) => userId)))
  return [
    counted(active, 'ativo', 'ativos'),
    ...(inactive > 0 ? [counted(inactive, 'inativo', 'inativos')] : []),
    peopleWords(people.size),
  ].join(', ')
}
